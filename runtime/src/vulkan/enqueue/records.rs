//! The input of a dispatch in one block of memory: the counting structure, the structures of the nodes, the records.
//!
//! The three forms of the dispatch differ in where the block lies and who reads it. Its contents are the same, with
//! addresses of either the host or the device. So a block is laid out once and written for its base.

use vulkanalia::prelude::v1_2::*;

use crate::device::{DeviceError, Result};

/// Records for one node of the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GraphRecords<'r> {
    pub node: &'r str,
    /// Array index of the node.
    pub index: u32,
    /// `count` records, `stride` bytes apart; the last may end before its stride does. Empty for empty records.
    pub data: &'r [u8],
    /// 0 repeats one record.
    pub stride: u32,
    pub count: u32,
}

/// The driver's limits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    /// Records of one node structure (`maxExecutionGraphShaderPayloadCount`).
    pub max_payloads: u32,
    /// The alignment of record addresses.
    pub alignment: u32,
    /// Bytes of a block.
    pub max_bytes: u64,
}

/// The offset of the node structures, after the counting structure.
const INFOS: usize = 64;

/// The alignment of each list of records, larger than any field of a record needs.
const ALIGNMENT: usize = 64;

pub(super) const INFO_BYTES: usize = size_of::<vk::DispatchGraphInfoAMDX>();

/// One node structure before it has an address.
struct Info {
    node_index: u32,
    count: u32,
    /// The offset of the records in the block.
    offset: usize,
    stride: usize,
}

pub(super) struct Block {
    infos: Vec<Info>,
    bytes: Vec<u8>,
}

impl Block {
    /// Lays out records for nodes by the pipeline's `node index`. Nodes with more records than a structure may count
    /// have several; those without records have none.
    ///
    /// # Errors
    /// The records exceed the limits of a block.
    pub fn new<'r>(inputs: impl IntoIterator<Item = (u32, GraphRecords<'r>)>, bounds: Bounds) -> Result<Self> {
        // The bytes between records, and the bytes copied for each.
        let mut lists = Vec::new();
        let alignment = ALIGNMENT.next_multiple_of(bounds.alignment.max(1) as usize);
        let mut bytes = 0u128;
        for (node_index, records) in inputs {
            let stride = match records.stride {
                0 => records.data.len().next_multiple_of(4),
                stride => stride as usize,
            };
            bytes += u128::from(records.count) * stride as u128;
            lists.push((node_index, records, stride));
        }
        let most = bounds.max_payloads.max(1);
        let structures: u64 = lists.iter().map(|(_, records, _)| u64::from(records.count.div_ceil(most))).sum();
        bytes += u128::from(structures) * (INFO_BYTES + alignment) as u128 + (INFOS + alignment) as u128;
        if bytes > u128::from(bounds.max_bytes) || usize::try_from(bytes).is_err() {
            return Err(DeviceError::new(format!(
                "the records of a dispatch need {bytes} bytes; the limit of the device is {}",
                bounds.max_bytes
            )));
        }

        let mut block = Self { infos: Vec::new(), bytes: vec![0; INFOS + structures as usize * INFO_BYTES] };
        for (node_index, records, stride) in lists {
            for first in (0..records.count).step_by(most as usize) {
                let count = most.min(records.count - first);
                let offset = block.bytes.len().next_multiple_of(alignment);
                block.bytes.resize(offset + count as usize * stride, 0);
                for number in 0..count as usize {
                    let from = (first as usize + number) * records.stride as usize;
                    let record = records.data.get(from..).unwrap_or_default();
                    let record = record.get(..stride).unwrap_or(record);
                    let to = offset + number * stride;
                    if let Some(place) = block.bytes.get_mut(to..to + record.len()) {
                        place.copy_from_slice(record);
                    }
                }
                block.infos.push(Info { node_index, count, offset, stride });
            }
        }
        let whole = block.bytes.len().next_multiple_of(alignment);
        block.bytes.resize(whole, 0);
        Ok(block)
    }

    /// Returns the number of node structures.
    pub fn count(&self) -> u32 {
        u32::try_from(self.infos.len()).unwrap_or(u32::MAX)
    }

    /// Returns the size, a multiple of 64.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Returns the address of the node structures in a block at `base`.
    pub fn infos(base: u64) -> u64 {
        base + INFOS as u64
    }

    /// Returns the contents of the block for the address `base`, of the host or of the device.
    pub fn at(&self, base: u64) -> Vec<u8> {
        let mut bytes = self.bytes.clone();
        let mut put = |at: usize, value: &[u8]| {
            if let Some(place) = bytes.get_mut(at..at + value.len()) {
                place.copy_from_slice(value);
            }
        };
        use std::mem::offset_of;
        type Count = vk::DispatchGraphCountInfoAMDX;
        type Node = vk::DispatchGraphInfoAMDX;
        put(offset_of!(Count, count), &self.count().to_ne_bytes());
        put(offset_of!(Count, infos), &Self::infos(base).to_ne_bytes());
        put(offset_of!(Count, stride), &(INFO_BYTES as u64).to_ne_bytes());
        for (number, info) in self.infos.iter().enumerate() {
            let at = INFOS + number * INFO_BYTES;
            put(at + offset_of!(Node, node_index), &info.node_index.to_ne_bytes());
            put(at + offset_of!(Node, payload_count), &info.count.to_ne_bytes());
            put(at + offset_of!(Node, payloads), &(base + info.offset as u64).to_ne_bytes());
            put(at + offset_of!(Node, payload_stride), &(info.stride as u64).to_ne_bytes());
        }
        bytes
    }
}
