//! Compares scheduled runs on a device with the rules. After every launch of the kernel sched, its complete state must
//! equal that of [`Scheduler`], which receives the records appended so far.

#![allow(dead_code, reason = "each test binary uses a part")]

use crate::scheduler::{Host, Scheduler, State};
use crate::wrapper::{Known, Overrides};
use std::cell::RefCell;
use std::rc::Rc;
use wgc_abi::Package;
use wgc_abi::device as abi;
use wgc_abi::tables::Tables;
use wgc_runtime::device::{Command, Device, DeviceError, Limits, Result};

/// The kernel's state after each of its launches, with the requested operation.
pub type Log = Rc<RefCell<Vec<(u32, State)>>>;

/// Labels of the kernel's launches.
const SCHED: [&str; 4] = ["open", "begin", "sched", "end"];

pub struct Watch {
    limits: Limits,
    scheduler: Scheduler,
    log: Log,
}

impl Watch {
    /// Watches a package on a device, possibly with other limits.
    pub fn new(package: &Package, limits: Limits, log: Log) -> Self {
        let tables = Tables::decode(&package.tables).expect("the package is sound");
        Self { limits, scheduler: Scheduler::new(tables), log }
    }

    fn state(&self, device: &mut dyn Device, known: &Known) -> Result<State> {
        let (tables, context) = (&self.scheduler.tables, &known.context);
        let [queues, instances] = [tables.queues.len() + tables.spills.len(), tables.instances.len()];
        let slots = instances + 1 + tables.spills.len();
        let queues = known.read(device, context.queues, queues * abi::QueueState::SIZE)?;
        let instances = known.read(device, context.instances, instances * abi::InstanceState::SIZE)?;
        let arguments = known.read(device, context.arguments, slots * abi::Arguments::SIZE)?;
        let status = known.read(device, context.status, abi::Status::SIZE)?;
        let status = abi::Status::decode(&status).unwrap_or_default();
        Ok(State::decode(tables, &queues, &instances, &arguments, &status))
    }

    /// Returns the parameters from the host, or from the device if it counts the inputs.
    fn host(device: &mut dyn Device, known: &Known, context: u64) -> Result<Host> {
        let context = known.read(device, context, abi::Context::SIZE)?;
        let context = abi::Context::decode(&context).unwrap_or_default();
        let spans = match context.span_count {
            0 => Vec::new(),
            count => known.read(device, context.spans, count as usize * abi::Span::SIZE)?,
        };
        let spans: Vec<abi::Span> = spans.chunks_exact(abi::Span::SIZE).filter_map(abi::Span::decode).collect();
        Ok(Host::new(&context, &spans))
    }
}

impl Overrides for Watch {
    fn limits<'d>(&'d self, _: &'d dyn Device) -> &'d Limits {
        &self.limits
    }

    fn submit(&mut self, device: &mut dyn Device, known: &Known, commands: &[Command]) -> Result<()> {
        let is_sched =
            |command: &Command| matches!(command, Command::Dispatch { label, .. } if SCHED.contains(&label.as_str()));
        let mut rest = commands;
        while let Some(at) = rest.iter().position(is_sched) {
            device.submit(&rest[..at])?;
            let push = match &rest[at] {
                Command::Dispatch { push, .. } => abi::Push::decode(push).unwrap_or_default(),
                _ => abi::Push::default(),
            };
            let before = self.state(device, known)?;
            self.scheduler.host = Self::host(device, known, push.context)?;
            device.submit(&rest[at..=at])?;
            let after = self.state(device, known)?;
            let launched = self.scheduler.launch(push.instance, &before);
            let step = self.log.borrow().len();
            if let Some(wrong) = launched.err().or_else(|| after.difference(&self.scheduler.state)) {
                let message = format!("launch {step} of the kernel sched, of {:#x}: {wrong}", push.instance);
                return Err(DeviceError::new(message));
            }
            self.log.borrow_mut().push((push.instance, after));
            rest = &rest[at + 1..];
        }
        device.submit(rest)
    }
}
