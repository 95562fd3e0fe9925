//! The arena: memory for records, in chunks of pages, grown when a dispatch needs more.

use super::report::RunError;
use crate::device::{BufferId, Device};
use wgc_abi::device::MAX_CHUNKS;

/// How much memory a graph may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArenaLimits {
    /// All chunks together.
    pub bytes: u64,
    /// One chunk: one buffer of the device.
    pub chunk_bytes: u64,
}

impl Default for ArenaLimits {
    /// 4 GiB in chunks of at most 1 GiB.
    fn default() -> Self {
        Self { bytes: 4 << 30, chunk_bytes: 1 << 30 }
    }
}

#[derive(Debug)]
pub struct Arena {
    page_bytes: u64,
    limits: ArenaLimits,
    /// All of one size.
    chunks: Vec<BufferId>,
    chunk_pages: u32,
    /// Addresses of mapped pages, written by prep.
    page_table: Option<BufferId>,
}

impl Arena {
    pub fn new(page_bytes: u32, limits: ArenaLimits) -> Self {
        Self { page_bytes: u64::from(page_bytes), limits, chunks: Vec::new(), chunk_pages: 1, page_table: None }
    }

    /// Pages in all chunks.
    pub fn pages(&self) -> u32 {
        self.chunk_pages * self.chunks.len() as u32
    }

    pub fn chunk_pages(&self) -> u32 {
        self.chunk_pages
    }

    /// Address of the page table; 0 before the first page.
    pub fn page_table(&self, device: &dyn Device) -> u64 {
        self.page_table.map_or(0, |buffer| device.buffer_address(buffer))
    }

    pub fn chunks(&self, device: &dyn Device) -> [u64; MAX_CHUNKS] {
        let mut addresses = [0; MAX_CHUNKS];
        for (address, buffer) in addresses.iter_mut().zip(&self.chunks) {
            *address = device.buffer_address(*buffer);
        }
        addresses
    }

    /// Makes room for `pages` pages. What the arena held is lost: it lives for one dispatch.
    pub fn hold(&mut self, device: &mut dyn Device, pages: u64) -> Result<(), RunError> {
        if pages <= u64::from(self.pages()) {
            return Ok(());
        }
        let needed = pages.saturating_mul(self.page_bytes);
        // A chunk holds a page at least, however small the limit.
        let chunk_pages = (self.limits.chunk_bytes / self.page_bytes).clamp(1, pages);
        let chunks = pages.div_ceil(chunk_pages);
        let limit = self.limits.bytes.min(chunk_pages.saturating_mul(self.page_bytes * MAX_CHUNKS as u64));
        if needed > limit || chunks * chunk_pages > u64::from(u32::MAX) {
            return Err(RunError::Arena { needed, limit });
        }
        self.release(device);
        for _ in 0..chunks {
            self.chunks.push(device.create_buffer(chunk_pages * self.page_bytes)?);
        }
        self.chunk_pages = chunk_pages as u32;
        self.page_table = Some(device.create_buffer(chunks * chunk_pages * 8)?);
        Ok(())
    }

    /// Gives all memory back.
    pub fn release(&mut self, device: &mut dyn Device) {
        for buffer in self.chunks.drain(..).chain(self.page_table.take()) {
            device.destroy_buffer(buffer);
        }
    }
}
