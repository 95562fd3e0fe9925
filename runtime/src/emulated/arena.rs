//! The arena: memory for records, in chunks of pages, grown when a dispatch needs more.

use super::report::RunError;
use crate::device::{BufferId, Device, DeviceError};
use wgc_abi::device::{MAX_CHUNKS, POISON};

/// The bytes of one write.
const FILL: usize = 1 << 20;

/// The memory limits of a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArenaLimits {
    /// All chunks together.
    pub bytes: u64,
    /// One chunk: one buffer of the device.
    pub chunk_bytes: u64,
}

impl Default for ArenaLimits {
    /// Returns limits of 4 GiB in chunks of at most 1 GiB.
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
    /// Addresses of mapped pages, written by the kernels, and how many it has room for.
    page_table: Option<BufferId>,
    entries: u64,
    /// The addresses of free pages, in scheduled runs. A word for each page follows, for the kernel guard.
    free_pages: Option<BufferId>,
    guarded: bool,
}

impl Arena {
    pub fn new(page_bytes: u32, limits: ArenaLimits, guarded: bool) -> Self {
        Self {
            page_bytes: u64::from(page_bytes),
            limits,
            chunks: Vec::new(),
            chunk_pages: 1,
            page_table: None,
            entries: 0,
            free_pages: None,
            guarded,
        }
    }

    /// Returns the pages in all chunks.
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

    /// Address of the stack of free pages.
    pub fn free_pages(&self, device: &dyn Device) -> u64 {
        self.free_pages.map_or(0, |buffer| device.buffer_address(buffer))
    }

    /// Returns the number of pages that the limits allow.
    pub fn most_pages(&self) -> u64 {
        let chunk = (self.limits.chunk_bytes / self.page_bytes).max(1);
        (self.limits.bytes / self.page_bytes).min(chunk.saturating_mul(MAX_CHUNKS as u64)).min(u64::from(u32::MAX) / 2)
    }

    /// Returns the error with the original limit, which need not be whole pages.
    pub fn as_given(&self, error: RunError) -> RunError {
        match error {
            RunError::LeastArena { needed, .. } if self.limits.bytes < needed => {
                RunError::LeastArena { needed, limit: self.limits.bytes }
            }
            other => other,
        }
    }

    pub fn chunks(&self, device: &dyn Device) -> [u64; MAX_CHUNKS] {
        let mut addresses = [0; MAX_CHUNKS];
        for (address, buffer) in addresses.iter_mut().zip(&self.chunks) {
            *address = device.buffer_address(*buffer);
        }
        addresses
    }

    /// Returns the addresses of mapped pages: `count` entries of the page table from `first` on.
    ///
    /// # Errors
    /// The page table has no such entries.
    pub fn addresses(&self, device: &mut dyn Device, first: u32, count: u32) -> Result<Vec<u64>, RunError> {
        let table = self.page_table.ok_or_else(|| DeviceError::new("the graph has no page table yet"))?;
        let mut bytes = vec![0; count as usize * 8];
        device.read_buffer(table, u64::from(first) * 8, &mut bytes)?;
        Ok(bytes.as_chunks::<8>().0.iter().map(|entry| u64::from_le_bytes(*entry)).collect())
    }

    /// Returns the buffer of the page at an address, and the page's offset in it; `None` if no page begins there.
    pub fn locate(&self, device: &dyn Device, address: u64) -> Option<(BufferId, u64)> {
        let bytes = u64::from(self.chunk_pages) * self.page_bytes;
        self.chunks.iter().find_map(|chunk| {
            let offset = address.checked_sub(device.buffer_address(*chunk)).filter(|offset| *offset < bytes)?;
            offset.is_multiple_of(self.page_bytes).then_some((*chunk, offset))
        })
    }

    /// Writes the first entries of the page table, and the beginnings of pages, by number.
    pub fn write(&self, device: &mut dyn Device, entries: &[u64], contents: &[(u32, Vec<u8>)]) -> Result<(), RunError> {
        if let Some(table) = self.page_table.filter(|_| !entries.is_empty()) {
            let bytes: Vec<u8> = entries.iter().flat_map(|address| address.to_le_bytes()).collect();
            device.write_buffer(table, 0, &bytes)?;
        }
        for (page, bytes) in contents {
            let (chunk, place) = (page / self.chunk_pages, page % self.chunk_pages);
            let chunk = self.chunks.get(chunk as usize).ok_or_else(|| DeviceError::new("a page has no memory"))?;
            device.write_buffer(*chunk, u64::from(place) * self.page_bytes, bytes)?;
        }
        Ok(())
    }

    /// Makes room for `pages` pages and `entries` entries of the page table. The arena's contents are lost: they live
    /// for one dispatch. Callers never request more pages than [`Arena::most_pages`].
    ///
    /// # Errors
    /// The device has not so much memory: the arena has none then.
    pub fn hold(&mut self, device: &mut dyn Device, pages: u64, entries: u64) -> Result<(), RunError> {
        let reserved = self.reserve(device, pages, entries);
        if reserved.is_err() {
            self.release(device);
        }
        reserved?;
        self.forget(device)
    }

    fn reserve(&mut self, device: &mut dyn Device, pages: u64, entries: u64) -> Result<(), RunError> {
        if pages > u64::from(self.pages()) {
            self.release(device);
            // A chunk has at least one page, however small the limit.
            let chunk_pages = (self.limits.chunk_bytes / self.page_bytes).clamp(1, pages);
            let chunks = pages.div_ceil(chunk_pages);
            for number in 0..chunks {
                let chunk = device.create_buffer(chunk_pages * self.page_bytes)?;
                device.name_buffer(chunk, &format!("chunk {number} of the arena"));
                self.chunks.push(chunk);
            }
            self.chunk_pages = chunk_pages as u32;
            let bytes = if self.guarded { 12 } else { 8 };
            let free = device.create_buffer(chunks * chunk_pages * bytes)?;
            device.name_buffer(free, "free pages");
            self.free_pages = Some(free);
        }
        if entries > self.entries {
            if let Some(buffer) = self.page_table.take() {
                device.destroy_buffer(buffer);
            }
            let table = device.create_buffer(entries * 8)?;
            device.name_buffer(table, "page table");
            self.page_table = Some(table);
            self.entries = entries;
        }
        Ok(())
    }

    /// Marks the arena's contents as undefined.
    fn forget(&self, device: &mut dyn Device) -> Result<(), RunError> {
        let chunk = u64::from(self.chunk_pages) * self.page_bytes;
        for buffer in &self.chunks {
            device.forget(*buffer, 0, chunk)?;
        }
        if let Some(table) = self.page_table {
            device.forget(table, 0, self.entries * 8)?;
        }
        match self.free_pages {
            Some(free) => Ok(device.forget(free, 0, u64::from(self.pages()) * 8)?),
            None => Ok(()),
        }
    }

    /// Marks the pages at some addresses as undefined.
    pub fn forget_pages(&self, device: &mut dyn Device, addresses: &[u64]) -> Result<(), RunError> {
        for address in addresses {
            if let Some((buffer, offset)) = self.locate(device, *address) {
                device.forget(buffer, offset, self.page_bytes)?;
            }
        }
        Ok(())
    }

    /// Returns the addresses of the first free pages.
    ///
    /// # Errors
    /// There are fewer free pages.
    pub fn free(&self, device: &mut dyn Device, count: u32) -> Result<Vec<u64>, RunError> {
        let Some(free) = self.free_pages else { return Ok(Vec::new()) };
        let mut bytes = vec![0; count as usize * 8];
        device.read_buffer(free, 0, &mut bytes)?;
        Ok(bytes.as_chunks::<8>().0.iter().map(|entry| u64::from_le_bytes(*entry)).collect())
    }

    /// Fills all pages for the kernel guard, which treats the first `pages` as filled.
    pub fn poison(&self, device: &mut dyn Device, pages: u32) -> Result<(), RunError> {
        let poison = POISON.to_le_bytes().repeat(FILL / 4);
        for chunk in &self.chunks {
            let bytes = u64::from(self.chunk_pages) * self.page_bytes;
            for offset in (0..bytes).step_by(FILL) {
                let rest = usize::try_from(bytes - offset).map_or(FILL, |rest| rest.min(FILL));
                device.write_buffer(*chunk, offset, &poison[..rest])?;
            }
        }
        if let Some(free) = self.free_pages {
            device.write_buffer(free, u64::from(pages) * 8, &vec![0; pages as usize * 4])?;
        }
        Ok(())
    }

    /// Releases all memory.
    pub fn release(&mut self, device: &mut dyn Device) {
        for buffer in self.chunks.drain(..).chain(self.page_table.take()).chain(self.free_pages.take()) {
            device.destroy_buffer(buffer);
        }
        self.entries = 0;
    }
}
