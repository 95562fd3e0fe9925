//! Entry records: checked against the manifest and packed as the kernel inject reads them.

use super::report::{InputProblem, RunError};
use wgc_abi::NodeName;
use wgc_abi::device::{MAX_RECORDS, Span};
use wgc_abi::layout::StructLayout;
use wgc_abi::manifest::{EntryPoint, Manifest};

/// Records for one entry node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input<'a> {
    pub node: NodeName,
    /// Ignored for empty records.
    pub data: Data<'a>,
    /// Bytes from record to record, at least a record's size; 0 repeats the one record.
    pub stride: u32,
    /// Records; may be 0.
    pub count: u32,
}

/// The location of an input's records, which are `stride` bytes apart; the last may end before its stride does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Data<'a> {
    Bytes(&'a [u8]),
    /// At this device address, a multiple of 4 like the stride. Whole words of the last record are read.
    Address(u64),
}

/// Inputs that the device counts, when it executes the dispatch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counted {
    /// Device address of a [`wgc_abi::device::InputList`], a multiple of 8. The list, its inputs and their records stay
    /// unchanged until the dispatch has ended.
    pub list: u64,
    /// The most inputs in the list: those beyond are left out, and reported.
    pub most: u32,
}

/// Spans without addresses yet, and the bytes of their records.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Packed {
    /// `address` is the offset in `bytes`, except for records that are on the device already.
    pub spans: Vec<Span>,
    /// Marks the spans whose records are in `bytes`.
    packed: Vec<bool>,
    pub bytes: Vec<u8>,
    /// Entry records by queue.
    pub entries: Vec<u64>,
    /// Threads of the inject kernel.
    pub threads: u32,
    /// By instance, the workgroups that entry records request; empty if the kernels prepare the run, which count with the
    /// largest grids. [`super::program::Program::read_grids`] fills it.
    pub grids: Vec<Option<u64>>,
}

impl Packed {
    /// Returns whether the host has the records of all spans; empty ones have none.
    pub fn has_all_records(&self) -> bool {
        self.spans.iter().zip(&self.packed).all(|(span, packed)| *packed || span.threads == 1 && span.address == 0)
    }

    /// Returns the records of each span of a queue; `None`: some are on the device.
    pub fn records(&self, queue: u32) -> Option<Vec<(Span, &[u8])>> {
        let spans = self.spans.iter().zip(&self.packed).filter(|(span, _)| span.queue == queue && span.count != 0);
        spans.map(|(span, packed)| packed.then(|| Some((*span, self.bytes.get(span.address as usize..)?)))?).collect()
    }

    /// Returns the spans as the kernels read them, with `bytes` at an address.
    pub fn spans_at(&self, base: u64) -> Vec<u8> {
        let mut out = Vec::new();
        for (span, packed) in self.spans.iter().zip(&self.packed) {
            let base = if *packed { base } else { 0 };
            Span { address: base + span.address, ..*span }.encode(&mut out);
        }
        out
    }
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
    let mut in_bytes = false;
    if let Some(record) = &entry.record {
        if input.stride != 0 && input.stride < record.size {
            return Err(InputProblem::Stride { record: record.size, given: input.stride });
        }
        span.threads = input.count;
        match input.data {
            Data::Bytes(data) => {
                in_bytes = true;
                (span.address, span.stride) = copy(&mut packed.bytes, record, input, data)?;
            }
            Data::Address(address) => {
                if !address.is_multiple_of(4) || !input.stride.is_multiple_of(4) {
                    return Err(InputProblem::Alignment { address, stride: input.stride });
                }
                (span.address, span.stride) = (address, input.stride);
            }
        }
    }
    packed.threads = packed.threads.checked_add(span.threads).ok_or(InputProblem::TooMany)?;
    packed.spans.push(span);
    packed.packed.push(in_bytes);
    Ok(())
}

/// Appends an input's records as whole words; returns their offset and stride.
fn copy(bytes: &mut Vec<u8>, record: &StructLayout, input: &Input, data: &[u8]) -> Result<(u64, u32), InputProblem> {
    let size = record.size as usize;
    let copies = if input.stride == 0 { 1 } else { input.count };
    let needed = u64::from(copies - 1) * u64::from(input.stride) + size as u64;
    if needed > data.len() as u64 {
        return Err(InputProblem::Short { needed, given: data.len() as u64 });
    }
    let align = record.align.max(4).next_power_of_two();
    bytes.resize(bytes.len().next_multiple_of(align as usize), 0);
    let address = bytes.len() as u64;
    for copy in 0..copies as usize {
        // In range: `needed` bytes are there.
        let start = copy * input.stride as usize;
        bytes.extend_from_slice(&data[start..start + size]);
        bytes.resize(bytes.len().next_multiple_of(align as usize), 0);
    }
    Ok((address, if input.stride == 0 { 0 } else { record.size.next_multiple_of(align) }))
}
