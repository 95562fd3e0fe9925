//! Entry records: checked against the manifest and packed as the kernel inject reads them.

use super::report::{InputProblem, RunError};
use wgc_abi::NodeName;
use wgc_abi::device::{MAX_RECORDS, Span};
use wgc_abi::manifest::{EntryPoint, Manifest};

/// Records for one entry node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input<'a> {
    pub node: NodeName,
    /// Records, `stride` bytes apart; the last may end before its stride does. Ignored for empty records.
    pub data: &'a [u8],
    /// Bytes from record to record, at least a record's size; 0 repeats the one record.
    pub stride: u32,
    /// Records; may be 0.
    pub count: u32,
}

/// Spans without addresses yet, and the bytes they lie in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Packed {
    /// `address` is the offset in `bytes`.
    pub spans: Vec<Span>,
    pub bytes: Vec<u8>,
    /// Entry records by queue.
    pub entries: Vec<u64>,
    /// Threads of the inject kernel.
    pub threads: u32,
}

/// Packs the inputs of one dispatch for a graph of `queues` queues.
pub fn pack(manifest: &Manifest, queues: usize, inputs: &[Input]) -> Result<Packed, RunError> {
    let mut packed = Packed { entries: vec![0; queues], ..Packed::default() };
    for input in inputs {
        let entry = manifest.entrypoints.iter().find(|e| e.node == input.node);
        let entry = entry.ok_or_else(|| RunError::NoEntry(input.node.clone()))?;
        let refuse = |problem| RunError::Input { node: input.node.clone(), problem };
        let total = packed.entries.get_mut(entry.queue as usize).ok_or(RunError::Manifest("a queue is missing"))?;
        *total += u64::from(input.count);
        if *total > MAX_RECORDS {
            return Err(refuse(InputProblem::TooMany));
        }
        if input.count != 0 {
            add(&mut packed, entry, input).map_err(refuse)?;
        }
    }
    Ok(packed)
}

fn add(packed: &mut Packed, entry: &EntryPoint, input: &Input) -> Result<(), InputProblem> {
    let mut span =
        Span { count: input.count, queue: entry.queue, first_thread: packed.threads, threads: 1, ..Span::default() };
    if let Some(record) = &entry.record {
        let size = record.size as usize;
        let copies = if input.stride == 0 { 1 } else { input.count };
        if input.stride != 0 && input.stride < record.size {
            return Err(InputProblem::Stride { record: record.size, given: input.stride });
        }
        let needed = u64::from(copies - 1) * u64::from(input.stride) + size as u64;
        if needed > input.data.len() as u64 {
            return Err(InputProblem::Short { needed, given: input.data.len() as u64 });
        }
        // Inject copies whole words.
        let align = record.align.max(4).next_power_of_two();
        let stride = record.size.next_multiple_of(align);
        packed.bytes.resize(packed.bytes.len().next_multiple_of(align as usize), 0);
        span.address = packed.bytes.len() as u64;
        span.stride = if input.stride == 0 { 0 } else { stride };
        span.threads = input.count;
        for copy in 0..copies as usize {
            // In range: `needed` bytes are there.
            let start = copy * input.stride as usize;
            packed.bytes.extend_from_slice(&input.data[start..start + size]);
            packed.bytes.resize(packed.bytes.len().next_multiple_of(align as usize), 0);
        }
    }
    packed.threads = packed.threads.checked_add(span.threads).ok_or(InputProblem::TooMany)?;
    packed.spans.push(span);
    Ok(())
}
