//! The workgroups of a dispatch, on one thread or several.
//!
//! One thread takes them in order. Several threads each take the next one. They share buffers, images and read-only
//! data, and have other memory of their own. Their findings and messages are combined in the order of the workgroups.

use super::exec::mesh::{Counts, put_out};
use super::exec::{self, Bound, Where, World};
use super::findings::Findings;
use super::image::Image;
use super::launch::{Instance, WorkgroupPosition};
use super::memory::Memory;
use super::message::Messages;
use super::program::Program;
use super::sanitize::Races;
use super::settings::CpuSettings;
use super::trace::Scene;
use crate::device::SamplerDesc;
use crate::mesh::Mesh;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

type Result<T> = std::result::Result<T, String>;

/// The common data of a dispatch's threads.
pub struct Dispatch<'d> {
    pub program: &'d Program,
    /// For findings.
    pub name: &'d str,
    /// The number among those since the last barrier, if races are checked.
    pub number: u32,
    pub slots: &'d [Vec<Bound>],
    pub images: &'d [Image],
    pub samplers: &'d [SamplerDesc],
    pub scenes: &'d [Scene],
    pub settings: &'d CpuSettings,
    /// Address of the push constants.
    pub push: u64,
    pub groups: [u32; 3],
    /// Instructions, of all threads together.
    pub executed: &'d AtomicU64,
}

/// The thread's own data.
pub struct Own<'o> {
    pub memory: &'o mut Memory,
    pub findings: &'o mut Findings,
    pub messages: &'o mut Messages,
    pub races: Option<&'o mut Races>,
    /// The mesh of each workgroup of a mesh shader, by its number.
    pub meshes: &'o mut Vec<(u64, Mesh)>,
}

impl Dispatch<'_> {
    fn total(&self) -> u64 {
        self.groups.iter().map(|&g| u64::from(g)).product()
    }

    /// Runs all of its workgroups.
    pub fn run(&self, own: Own<'_>) -> Result<()> {
        let total = self.total();
        let threads = u64::from(self.settings.threads).min(total);
        if threads <= 1 {
            let mut groups = 0..total;
            return self.take(own, || groups.next(), |_, _| {});
        }
        let (next, failed) = (AtomicU64::new(0), AtomicBool::new(false));
        let take = || {
            let at = if failed.load(Relaxed) { total } else { next.fetch_add(1, Relaxed) };
            (at < total).then_some(at)
        };
        let main = &*own.memory;
        let work = || {
            let (mut memory, mut findings) = (main.worker(), Findings::new(self.settings.sanitize));
            let (mut messages, mut meshes) = (Messages::default(), Vec::new());
            let mine = Own {
                memory: &mut memory,
                findings: &mut findings,
                messages: &mut messages,
                races: None,
                meshes: &mut meshes,
            };
            // The findings and messages of each workgroup that has any.
            let (mut reports, mut last) = (Vec::new(), 0);
            let result = self.take(mine, take, |at, Own { findings, messages, .. }| {
                last = at;
                if !findings.is_empty() || !messages.is_empty() {
                    let findings = std::mem::replace(&mut **findings, Findings::new(self.settings.sanitize));
                    reports.push((at, findings, std::mem::take(&mut **messages)));
                }
            });
            if result.is_err() {
                failed.store(true, Relaxed);
            }
            (last, result, reports, meshes)
        };
        let done: Vec<_> = std::thread::scope(|scope| {
            // Fewer threads do the same work, if memory is insufficient.
            let spawn = |_| std::thread::Builder::new().spawn_scoped(scope, work).ok();
            let threads: Vec<_> = (0..threads).map_while(spawn).collect();
            match threads.is_empty() {
                true => vec![Ok(work())],
                false => threads.into_iter().map(|thread| thread.join()).collect(),
            }
        });
        let (mut all, mut error): (Vec<_>, Option<(u64, String)>) = (Vec::new(), None);
        for done in done {
            let (last, result, reports, meshes) =
                done.map_err(|_| "a thread of the CPU device has failed".to_string())?;
            all.extend(reports);
            own.meshes.extend(meshes);
            if let Err(text) = result
                && error.as_ref().is_none_or(|(at, _)| last < *at)
            {
                error = Some((last, text));
            }
        }
        all.sort_by_key(|(at, ..)| *at);
        own.meshes.sort_by_key(|(at, _)| *at);
        let end = error.as_ref().map_or(total, |(at, _)| *at);
        for (_, findings, messages) in all.into_iter().take_while(|(at, ..)| *at <= end) {
            own.findings.append(findings);
            own.messages.append(messages);
        }
        error.map_or(Ok(()), |(_, text)| Err(text))
    }

    /// Runs the workgroups from `next`, by number, x fastest. Calls `after` for each one.
    fn take(
        &self,
        mut own: Own<'_>,
        mut next: impl FnMut() -> Option<u64>,
        mut after: impl FnMut(u64, &mut Own<'_>),
    ) -> Result<()> {
        let lanes = self.program.threads() as usize;
        let subgroup_size = self.settings.lanes(self.program) as usize;
        let mut instance = Instance::new(self.program, lanes, subgroup_size, own.memory)?;
        instance.bind(self.program, self.slots, self.push);
        let [x, y, _] = self.groups.map(|g| u64::from(g).max(1));
        let mut result = Ok(());
        while let (Ok(()), Some(at)) = (&result, next()) {
            let group = [(at % x) as u32, (at / x % y) as u32, (at / (x * y)) as u32];
            let place = WorkgroupPosition { group, groups: self.groups, ..WorkgroupPosition::default() };
            instance.start(self.program, &place, own.memory);
            if let Some(races) = &mut own.races {
                races.start(self.number, lanes, false, &[]);
            }
            let mut world = World {
                memory: &mut *own.memory,
                findings: &mut *own.findings,
                messages: &mut *own.messages,
                images: self.images,
                samplers: self.samplers,
                scenes: self.scenes,
                slots: self.slots,
                subgroup_size,
                fuel: self.settings.fuel,
                graph: None,
                mesh: instance.mesh().map(|_| Counts::default()),
                node: self.name,
                place: Where { group, ..Where::default() },
                races: own.races.as_deref_mut(),
            };
            result = exec::run(self.program, &mut instance.registers, lanes, lanes, 0, &mut world);
            self.executed.fetch_add(self.settings.fuel - world.fuel, Relaxed);
            if let (Ok(()), Some(region)) = (&result, instance.mesh()) {
                match put_out(self.program, region, &mut world) {
                    Ok(mesh) => own.meshes.push((at, mesh)),
                    Err(error) => result = Err(error),
                }
            }
            after(at, &mut own);
        }
        instance.release(own.memory);
        result
    }
}
