//! A device that corrupts the memory of a graph in the middle of a dispatch.

use super::wrapper::{Known, Overrides, Wrapper};
use wgc_abi::device as abi;
use wgc_runtime::device::{Command, Device, Result};

/// The corruption of a queue.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// After the next launch: its first page becomes the first page of the arena.
    Page,
    /// Immediately: the word at this offset of its first page changes.
    Word(u64),
}

/// Plants the fault after the launch named `after`.
pub struct Planted {
    after: &'static str,
    queue: u64,
    fault: Fault,
    /// Number of launches since that one.
    since: Option<u32>,
}

impl Planted {
    pub fn on<D: Device>(device: D, after: &'static str, queue: u64, fault: Fault) -> Wrapper<D, Self> {
        Wrapper::new(device, Self { after, queue, fault, since: None })
    }

    fn plant(&self, device: &mut dyn Device, known: &Known) -> Result<()> {
        let size = abi::QueueState::SIZE;
        let state = known.read(device, known.context.queues + self.queue * size as u64, size)?;
        let state = abi::QueueState::decode(&state).unwrap();
        let entry = known.context.pages + u64::from(state.first_page) * 8;
        match self.fault {
            Fault::Page => known.write(device, entry, &known.context.chunks[0].to_le_bytes()),
            Fault::Word(place) => {
                let page = known.read(device, entry, 8)?;
                let page = u64::from_le_bytes(page.try_into().unwrap());
                known.write(device, page + place, &[7; 4])
            }
        }
    }
}

impl Overrides for Planted {
    fn submit(&mut self, device: &mut dyn Device, known: &Known, commands: &[Command]) -> Result<()> {
        for command in commands {
            device.submit(std::slice::from_ref(command))?;
            if let Command::Dispatch { label, .. } | Command::DispatchIndirect { label, .. } = command {
                self.since = match self.since {
                    None => (label == self.after).then_some(0),
                    Some(launches) => Some(launches + 1),
                };
                if self.since == Some(u32::from(self.fault == Fault::Page)) {
                    self.plant(device, known)?;
                }
            }
        }
        Ok(())
    }
}
