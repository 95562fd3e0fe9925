//! The workgroups of a dispatch, on one thread or several.
//!
//! One thread takes them in order. Several take the next one each, with memory of their own but for buffers, images
//! and what is only read; what they find and print is put together in the order of the threads, not of the workgroups.

use super::exec::{self, Bound, Where, World};
use super::findings::Findings;
use super::image::Image;
use super::launch::{Instance, Place};
use super::memory::Memory;
use super::message::Messages;
use super::program::Program;
use super::sanitize::Races;
use super::settings::CpuSettings;
use super::trace::Scene;
use crate::device::SamplerDesc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

type Result<T> = std::result::Result<T, String>;

/// What the threads of a dispatch have together.
pub struct Dispatch<'d> {
    pub program: &'d Program,
    /// For findings.
    pub name: &'d str,
    pub slots: &'d [Vec<Bound>],
    pub images: &'d [Image],
    pub samplers: &'d [SamplerDesc],
    pub scenes: &'d [Scene],
    pub settings: &'d CpuSettings,
    /// Address of the push constants.
    pub push: u64,
    pub groups: [u32; 3],
}

/// What each has for itself.
pub struct Own<'o> {
    pub memory: &'o mut Memory,
    pub findings: &'o mut Findings,
    pub messages: &'o mut Messages,
    pub races: Option<&'o mut Races>,
}

impl Dispatch<'_> {
    fn total(&self) -> u64 {
        self.groups.iter().map(|&g| u64::from(g)).product()
    }

    /// Runs all of its workgroups.
    pub fn run(&self, mut own: Own<'_>) -> Result<()> {
        let total = self.total();
        let threads = u64::from(self.settings.threads).min(total);
        if threads <= 1 {
            if let Some(races) = &mut own.races {
                races.clear();
            }
            let mut groups = 0..total;
            return self.take(own, || groups.next());
        }
        let (next, failed) = (AtomicU64::new(0), AtomicBool::new(false));
        let take = || {
            let at = if failed.load(Relaxed) { total } else { next.fetch_add(1, Relaxed) };
            (at < total).then_some(at)
        };
        let main = &*own.memory;
        let work = || {
            let (mut memory, mut findings) = (main.worker(), Findings::new(self.settings.sanitize));
            let mut messages = Messages::default();
            let mine = Own { memory: &mut memory, findings: &mut findings, messages: &mut messages, races: None };
            let result = self.take(mine, take);
            if result.is_err() {
                failed.store(true, Relaxed);
            }
            (result, findings, messages)
        };
        let done: Vec<_> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
            threads.into_iter().map(|thread| thread.join()).collect()
        });
        let mut result = Ok(());
        for done in done {
            let (one, findings, messages) = done.map_err(|_| "a thread of the CPU device has failed".to_string())?;
            own.findings.append(findings);
            own.messages.append(messages);
            result = result.and(one);
        }
        result
    }

    /// Runs the workgroups that `next` gives, by number, x fastest.
    fn take(&self, own: Own<'_>, mut next: impl FnMut() -> Option<u64>) -> Result<()> {
        let Own { memory, findings, messages, mut races } = own;
        let lanes = self.program.threads() as usize;
        let subgroup_size = self.settings.subgroup_size as usize;
        let mut instance = Instance::new(self.program, lanes, subgroup_size, memory)?;
        instance.bind(self.program, self.slots, self.push);
        let [x, y, _] = self.groups.map(|g| u64::from(g).max(1));
        let mut result = Ok(());
        while let (Ok(()), Some(at)) = (&result, next()) {
            let group = [(at % x) as u32, (at / x % y) as u32, (at / (x * y)) as u32];
            let place = Place { group, groups: self.groups, ..Place::default() };
            instance.start(self.program, &place, memory);
            if let Some(races) = &mut races {
                races.start(0, lanes, false, &[]);
            }
            let mut world = World {
                memory: &mut *memory,
                findings: &mut *findings,
                messages: &mut *messages,
                images: self.images,
                samplers: self.samplers,
                scenes: self.scenes,
                slots: self.slots,
                subgroup_size,
                fuel: self.settings.fuel,
                graph: None,
                node: self.name,
                place: Where { group, ..Where::default() },
                races: races.as_deref_mut(),
            };
            result = exec::run(self.program, &mut instance.registers, lanes, lanes, 0, &mut world);
        }
        instance.release(memory);
        result
    }
}
