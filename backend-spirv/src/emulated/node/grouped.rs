//! Requests for records that all threads of a workgroup make together. One atomic serves them all, if the host says that
//! barriers are fast on its device.

use super::super::error::EmuError;
use super::super::layout::RecordLayout;
use super::super::library;
use super::Lowering;
use wgc_abi::tables::THREAD_GROUP;
use wgc_ir::flow::GroupRequests;
use wgc_ir::{Builtin, Function, Launch, Node, Output, ValueId};

/// The fewest threads of a workgroup with such requests. Smaller workgroups are one subgroup on most devices, which needs
/// one atomic anyway.
const FEWEST_THREADS: u32 = 64;

/// Threads of a workgroup of a thread node with such requests, or without outputs.
const LARGE_GROUP: u32 = 256;

/// The most bytes of records that a large workgroup of a thread node may send. The scheduler reserves them before it
/// launches the workgroup.
const MAX_SENT_BYTES: u32 = 32 << 10;

/// Returns the number of threads in the workgroups of a thread node. A producer raises the number of a consumer's workgroups
/// each time its records fill one, so consumers that send nothing have large ones.
pub fn packing(node: &Node, function: &Function) -> u32 {
    if node.launch == Launch::Thread && node.outputs.is_empty() {
        return LARGE_GROUP;
    }
    if node.launch != Launch::Thread || GroupRequests::of(node, function).is_empty() {
        return THREAD_GROUP;
    }
    let bytes = |(output, declared): (usize, &Output)| {
        let stride = RecordLayout::of(declared.record.as_ref(), false).map_or(u32::MAX, |layout| layout.stride);
        stride.saturating_mul(node.budget(output).1).saturating_mul(LARGE_GROUP)
    };
    let sent = node.outputs.iter().enumerate().map(bytes).fold(0, u32::saturating_add);
    if sent <= MAX_SENT_BYTES { LARGE_GROUP } else { THREAD_GROUP }
}

impl Lowering<'_> {
    pub(super) fn find_group_requests(&mut self, function: &Function) {
        // A resident workgroup has one atomic for each subgroup, without a barrier.
        if self.threads >= FEWEST_THREADS && !self.context.resident {
            self.grouped = GroupRequests::of(self.node, function);
        }
    }

    /// Returns whether all threads of the workgroup run, and the number of the thread.
    pub(super) fn group_arguments(&mut self) -> Result<[ValueId; 2], EmuError> {
        match self.thread {
            Some(thread) => Ok([self.b.const_bool(true), thread]),
            None => {
                let unit = self.b.const_u32(self.threads);
                let is_full = self.call(library::IS_FULL, vec![self.enter, unit])?;
                Ok([is_full, self.b.builtin(Builtin::GroupIndex)])
            }
        }
    }
}
