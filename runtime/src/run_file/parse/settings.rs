//! `emulation` and `cpu`: how a graph is to be run.

use super::super::error::{Checked, Fault};
use super::super::model::{Allocator, Arena, Batching, CpuSettings, EmulationSettings, Order, Sanitize, Schedule};
use super::values::{Object, boolean, string, unsigned, word};
use wgc_json::{Value, ValueKind};

pub(super) fn emulation(value: &Value) -> Checked<EmulationSettings> {
    const KEYS: [&str; 9] = [
        "arena",
        "page_kib",
        "segment_kib",
        "joint_dispatch",
        "direct_targets",
        "schedule",
        "drain",
        "int64_atomics",
        "allocator",
    ];
    let object = Object::with_old_keys(value, "emulation", &KEYS, &["fuse_arrays"])?;
    let arena = object.get("arena").map(arena).transpose()?;
    let page_kib = object.get("page_kib").map(|value| {
        let kib: u32 = unsigned(value)?;
        let right = kib.is_power_of_two() && kib <= 1024;
        if right { Ok(kib) } else { Err(Fault::new(value.at, "a page must have 1, 2, 4 .. 1024 KiB")) }
    });
    let schedules = [("topological", Schedule::Topological), ("depth", Schedule::Depth)];
    let schedule = object.get("schedule").map(|value| word(value, &schedules)).transpose()?;
    let allocators = [
        ("auto", Allocator::Auto),
        ("group", Allocator::Group),
        ("subgroup", Allocator::Subgroup),
        ("lane", Allocator::Lane),
    ];
    let allocator = object.get("allocator").map(|value| word(value, &allocators)).transpose()?;
    let number = |key| object.get(key).map(unsigned::<u32>).transpose();
    let drain = match (object.get("drain"), schedule) {
        (Some(value), Some(Schedule::Depth)) => {
            return Err(Fault::new(value.at, "drains need the topological schedule: with depth, nothing waits"));
        }
        _ => number("drain")?,
    };
    let joint_dispatch = object.at_most_one("emulation", &["joint_dispatch", "fuse_arrays"])?;
    Ok(EmulationSettings {
        arena,
        page_kib: page_kib.transpose()?,
        segment_kib: number("segment_kib")?,
        joint_dispatch: joint_dispatch.map(|member| unsigned(&member.value)).transpose()?,
        direct_targets: number("direct_targets")?,
        schedule,
        drain,
        int64_atomics: object.get("int64_atomics").map(boolean).transpose()?,
        allocator,
    })
}

fn arena(value: &Value) -> Checked<Arena> {
    match value.kind {
        ValueKind::String(_) => word(value, &[("min", Arena::Min), ("default", Arena::Default)]),
        _ => Ok(Arena::Bytes(unsigned(value)?)),
    }
}

pub(super) fn cpu(value: &Value) -> Checked<CpuSettings> {
    let object = Object::new(value, "cpu", &["subgroup_size", "batching", "order", "sanitize"])?;
    let seed = |value: &Value| string(value).ok().and_then(|t| t.strip_prefix("random:")?.parse::<u64>().ok());
    let sanitize = [("warn", Sanitize::Warn), ("error", Sanitize::Error), ("off", Sanitize::Off)];
    let subgroup_size = object.get("subgroup_size").map(|value| {
        let size: u32 = unsigned(value)?;
        let right = size.is_power_of_two() && size <= 128;
        if right {
            Ok(size)
        } else {
            Err(Fault::new(value.at, "a subgroup must have a power of two of lanes, 1 to 128"))
        }
    });
    Ok(CpuSettings {
        threads: None,
        max_instructions: None,
        subgroup_size: subgroup_size.transpose()?,
        batching: object
            .get("batching")
            .map(|value| match seed(value) {
                Some(seed) => Ok(Batching::Random(seed)),
                None => word(
                    value,
                    &[("full", Batching::Full), ("single", Batching::Single), ("random:SEED", Batching::Random(0))],
                ),
            })
            .transpose()?,
        order: object
            .get("order")
            .map(|value| match seed(value) {
                Some(seed) => Ok(Order::Random(seed)),
                None => word(value, &[("fifo", Order::Fifo), ("lifo", Order::Lifo), ("random:SEED", Order::Random(0))]),
            })
            .transpose()?,
        sanitize: object.get("sanitize").map(|value| word(value, &sanitize)).transpose()?,
    })
}
