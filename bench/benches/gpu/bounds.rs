//! The limits of a device, and the least time that each workload needs there.

use crate::rig::{Contents, Cost, Rig};
use std::time::Duration;
use wgc_runtime::device::Command;

/// Measured.
#[derive(Clone, Copy)]
pub struct Rates {
    /// Copied by many workgroups, read and written.
    pub bytes_per_second: f64,
    /// On one counter, one for each subgroup, with its result.
    pub atomics_per_second: f64,
    /// The rate of empty workgroups.
    pub groups_per_second: f64,
    /// A barrier and an indirect dispatch of one workgroup.
    pub step_seconds: f64,
}

/// Seconds, at least.
#[derive(Clone, Copy)]
pub struct Bound {
    pub bytes: f64,
    pub atomics: f64,
    pub groups: f64,
    pub steps: f64,
}

/// Copied by a thread.
const EACH: u32 = 16;
const STEPS: u32 = 256;

impl Rates {
    pub fn measure(rig: &mut Rig) -> Self {
        // Several times the size of caches, and enough workgroups that one dispatch takes a while.
        let (copied, groups) = if rig.is_cpu() { (32u64 << 20, 20_000) } else { (1 << 30, 4_000_000) };
        let args = Contents::Words(vec![1, 1, 1, 0]);
        let bound = rig.bind(&[Contents::Zeroes(copied), Contents::Zeroes(copied), Contents::Zeroes(64), args]);
        let shaders = rig.shaders("limits.hlsl", &[], &bound, 4);
        let copies = (copied / 16) as u32 / EACH / 64;
        let mut least = |commands: Vec<Command>| {
            rig.warm(Duration::from_millis(100));
            let times = (0..5).map(|_| rig.time(&commands));
            times.min().unwrap_or_default().as_secs_f64().max(1e-9)
        };
        let one = |entry: &str, groups: u32| vec![shaders.dispatch(entry, &[EACH], [groups, 1, 1])];
        let (copy, count) = (least(one("Copy", copies)), least(one("Count", groups)));
        let nothing = least(one("Nothing", groups));
        let step = || [Command::Barrier, shaders.indirect("Nothing", &[EACH], bound.buffers[3], 0)];
        let steps = least((0..STEPS).flat_map(|_| step()).collect());
        Self {
            bytes_per_second: 2.0 * copied as f64 / copy,
            atomics_per_second: f64::from(groups) * 64.0 / rig.subgroup() as f64 / count,
            groups_per_second: f64::from(groups) / nothing,
            step_seconds: steps / f64::from(STEPS),
        }
    }

    pub fn bound(&self, cost: Cost, steps: u64) -> Bound {
        Bound {
            bytes: cost.bytes as f64 / self.bytes_per_second,
            atomics: cost.atomics as f64 / self.atomics_per_second,
            groups: cost.groups as f64 / self.groups_per_second,
            steps: steps as f64 * self.step_seconds,
        }
    }
}

impl Bound {
    /// Returns the least time. Memory, counters and launches work in parallel; steps wait for each other.
    pub fn seconds(&self) -> f64 {
        self.bytes.max(self.atomics).max(self.groups) + self.steps
    }
}
