//! A device around another one, with other limits, that keeps the recorded commands.

use crate::wrapper::{Known, Overrides, Wrapper};
use wgc_abi::device as abi;
use wgc_runtime::device::{Command, Device, Limits, Result};

/// The recorded commands, and the differences from the device.
#[derive(Default)]
pub struct Recorder {
    pub limits: Option<Limits>,
    /// Another number of pages, which the kernels get.
    pub page_count: Option<u32>,
    /// Labels of the commands between two barriers.
    pub steps: Vec<Vec<String>>,
    /// A label whose dispatches do not run; their workgroups are stored.
    pub left_out: Option<&'static str>,
    pub launched: Vec<[u32; 3]>,
    /// True if appending shaders launch: checks rows of 64 workgroups, of which only the last has spare ones.
    pub appended: bool,
}

impl Recorder {
    pub fn around<D: Device>(self, device: D) -> Wrapper<D, Recorder> {
        Wrapper::new(device, Recorder { steps: vec![Vec::new()], ..self })
    }
}

impl Overrides for Recorder {
    fn limits<'d>(&'d self, device: &'d dyn Device) -> &'d Limits {
        self.limits.as_ref().unwrap_or_else(|| device.limits())
    }

    fn written(&mut self, data: &[u8]) -> Vec<u8> {
        match (self.page_count, abi::Context::decode(data)) {
            (Some(page_count), Some(context)) if data.len() == abi::Context::SIZE => {
                abi::Context { page_count, ..context }.to_bytes().to_vec()
            }
            _ => data.to_vec(),
        }
    }

    /// Checks that dispatches respect the limits that this device claims.
    fn submit(&mut self, device: &mut dyn Device, _: &Known, commands: &[Command]) -> Result<()> {
        for command in commands {
            let groups = match command {
                Command::Dispatch { groups, .. } => *groups,
                Command::DispatchIndirect { args, offset, .. } => {
                    // The earlier commands have run.
                    let mut bytes = [0; 12];
                    device.read_buffer(*args, *offset, &mut bytes)?;
                    let words = bytes.as_chunks::<4>().0;
                    [0, 1, 2].map(|word: usize| u32::from_le_bytes(words[word]))
                }
                _ => [0; 3],
            };
            let most = self.limits(device).max_groups;
            match (command, self.steps.last_mut()) {
                (Command::Dispatch { label, .. } | Command::DispatchIndirect { label, .. }, Some(step)) => {
                    assert!(groups.iter().zip(most).all(|(&n, most)| n <= most), "{label}: {groups:?}");
                    let indirect = matches!(command, Command::DispatchIndirect { .. });
                    assert!(!self.appended || !indirect || groups[1] == 1 || groups[0] == 64, "{label}: {groups:?}");
                    step.push(label.clone());
                }
                (Command::Barrier, _) => self.steps.push(Vec::new()),
                _ => {}
            }
            if let Command::DispatchIndirect { label, .. } = command
                && self.left_out == Some(label)
            {
                self.launched.push(groups);
                continue;
            }
            device.submit(std::slice::from_ref(command))?;
        }
        Ok(())
    }
}
