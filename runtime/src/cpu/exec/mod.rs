//! Runs a [`Program`] for one set of lanes: a workgroup, or a batch of single-thread workgroups.
//!
//! Lanes that diverge wait at blocks. The loop always runs the first block, in structured order, that any lane waits
//! at, with all lanes that wait there. So lanes reconverge at merge blocks, and loops run until their last lane has
//! left.

mod check;
mod derivative;
mod image;
mod memory_ops;
pub mod mesh;
pub mod ops;
mod payload;
mod print;
mod ray;
mod subgroup;

use super::findings::{At, FindingCode, Findings};
use super::graph::GraphSide;
use super::image::Image;
use super::mask::Mask;
use super::memory::Memory;
use super::message::Messages;
use super::program::{Edge, End, Ins, Program, Row};
use super::sanitize::Races;
use super::trace::{Query, Scene};
use crate::device::{ImageFormat, SamplerDesc};
use ops::{Active, Rows};

pub type Result<T> = std::result::Result<T, String>;

/// The contents of a slot's element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// Its address.
    Buffer(u64),
    /// Index among the device's images.
    Image(u32),
    /// A buffer of formatted texels.
    TexelBuffer {
        region: u32,
        format: ImageFormat,
        texels: u32,
    },
    /// Index among the device's samplers.
    Sampler(u32),
    /// Index among the device's scenes.
    Scene(u32),
    Nothing,
}

/// Everything outside the lanes' registers.
pub struct World<'w> {
    pub memory: &'w mut Memory,
    pub findings: &'w mut Findings,
    pub messages: &'w mut Messages,
    pub images: &'w [Image],
    pub samplers: &'w [SamplerDesc],
    pub scenes: &'w [Scene],
    /// By slot of the program, by array element.
    pub slots: &'w [Vec<Bound>],
    pub subgroup_size: usize,
    /// Instructions that may still be executed (each counts once for all its lanes).
    pub fuel: u64,
    /// Inside an execution graph.
    pub graph: Option<&'w mut GraphSide>,
    /// The counts of a mesh shader.
    pub mesh: Option<mesh::Counts>,
    /// Node or entry point, for findings.
    pub node: &'w str,
    pub place: Where,
    /// The race detector, if races are checked.
    pub races: Option<&'w mut Races>,
}

/// The running workgroup, for findings.
#[derive(Clone, Copy, Debug, Default)]
pub struct Where {
    pub group: [u32; 3],
    /// The number of the first running record, among those that the node receives, and their count.
    pub records: Option<(u64, u32)>,
    /// Each lane is a workgroup with its own record.
    pub lanes_are_groups: bool,
}

impl Where {
    /// Describes one of its threads, or all.
    pub fn describe(&self, lane: Option<usize>) -> String {
        let mut out = String::new();
        let Where { group: [x, y, z], records, lanes_are_groups } = *self;
        let at = if lanes_are_groups { lane.unwrap_or(0) as u64 } else { 0 };
        if !lanes_are_groups {
            if let Some(lane) = lane {
                out = format!("thread {lane} of ");
            }
            out += &match (y, z) {
                (0, 0) => format!("group {x}"),
                (_, 0) => format!("group {x} {y}"),
                _ => format!("group {x} {y} {z}"),
            };
        }
        if let Some((first, count)) = records {
            let first = first + at;
            let comma = if out.is_empty() { "" } else { ", " };
            match count {
                0 | 1 => out += &format!("{comma}record {first}"),
                _ => out += &format!("{comma}records {first} to {}", first + u64::from(count) - 1),
            }
        }
        out
    }
}

pub struct Run<'r, 'w> {
    program: &'r Program,
    rows: Rows<'r>,
    world: &'r mut World<'w>,
    /// Number of input records by lane; all lanes of a workgroup have the same.
    input_count: u32,
    killed: Mask,
    any_killed: bool,
    /// Ray queries of all lanes.
    queries: Vec<Query>,
    /// The state of queries that no ray has started.
    unstarted: Query,
}

/// Runs the program's entry function with the first `lanes` of the `width` lanes in `registers`, which already holds
/// constants, built-ins and pointers.
pub fn run(
    program: &Program,
    registers: &mut [u64],
    width: usize,
    lanes: usize,
    input_count: u32,
    world: &mut World<'_>,
) -> Result<()> {
    let all = Mask::first(lanes);
    let mut run = Run {
        program,
        rows: Rows::new(registers, width),
        world,
        input_count,
        killed: all.cleared(),
        any_killed: false,
        queries: Vec::new(),
        unstarted: Query::default(),
    };
    run.call(program.entry, all)
}

impl Run<'_, '_> {
    fn report(
        &mut self,
        code: FindingCode,
        word: u32,
        lane: Option<usize>,
        what: impl FnOnce() -> String,
    ) -> Result<()> {
        let at = At { word, lines: &self.program.lines };
        let place = self.world.place;
        self.world.findings.report(code, self.world.node, at, what, || place.describe(lane))
    }

    fn call(&mut self, function: u32, mask: Mask) -> Result<()> {
        let program = self.program;
        let function = program.functions.get(function as usize).ok_or("a call of no function")?;
        // Blocks at which lanes wait; the first in structured order is last.
        let mut waiting: Vec<(u32, Mask)> = vec![(0, mask)];
        while let Some((at, mask)) = waiting.pop() {
            let block = function.blocks.get(at as usize).ok_or("a branch to no block")?;
            let mut active = Active { mask, full: mask.count() == self.rows.lanes };
            let cost = block.code.len() as u64 + 1;
            match self.world.fuel.checked_sub(cost) {
                Some(left) => self.world.fuel = left,
                None => {
                    return Err(format!(
                        "a workgroup of {} reached the limit of executed instructions, --max-instructions ({})",
                        self.world.node,
                        At { word: block.end_word, lines: &program.lines }
                    ));
                }
            }
            for (ins, &word) in block.code.iter().zip(&block.words) {
                self.instruction(ins, word, &active)?;
                if self.any_killed {
                    active = self.without_killed(&active);
                }
            }
            match &block.end {
                End::Jump(edge) => self.take(edge, &active, &mut waiting),
                End::Branch { condition, then, otherwise } => {
                    let row = self.rows.rows(*condition, 1);
                    let yes = active.mask.filtered(|lane| row.get(lane).is_some_and(|c| c.get() != 0));
                    let no = active.mask.without(&yes);
                    self.take_some(then, yes, &mut waiting);
                    self.take_some(otherwise, no, &mut waiting);
                }
                End::Switch { selector, cases, default, edges } => {
                    let mut rest = active.mask;
                    while let Some(first) = rest.lowest() {
                        let value = self.rows.get(*selector, first);
                        let same = rest.filtered(|lane| self.rows.get(*selector, lane) == value);
                        rest = rest.without(&same);
                        let edge = cases.iter().find(|c| c.0 == value).map_or(*default, |c| c.1);
                        if let Some(edge) = edges.get(edge as usize) {
                            self.take_some(edge, same, &mut waiting);
                        }
                    }
                }
                End::Return => {}
                End::Kill | End::Unreachable => {
                    self.killed.or(&active.mask);
                    self.any_killed = true;
                }
            }
        }
        Ok(())
    }

    fn without_killed(&self, active: &Active) -> Active {
        let mask = active.mask.without(&self.killed);
        Active { mask, full: mask.count() == self.rows.lanes }
    }

    fn take_some(&mut self, edge: &Edge, mask: Mask, waiting: &mut Vec<(u32, Mask)>) {
        if !mask.is_empty() {
            self.take(edge, &Active { mask, full: mask.count() == self.rows.lanes }, waiting);
        }
    }

    /// Copies the phis of a branch and makes its lanes wait at the target.
    fn take(&mut self, edge: &Edge, active: &Active, waiting: &mut Vec<(u32, Mask)>) {
        for &(dst, src, n) in &edge.moves {
            self.rows.map1(active, dst, src, n, |x| x);
        }
        if active.mask.is_empty() {
            return;
        }
        // Few blocks wait at a time: the search starts at the end, where they are nearest.
        let mut at = waiting.len();
        while let Some((target, mask)) = at.checked_sub(1).and_then(|i| waiting.get_mut(i)) {
            if *target == edge.target {
                mask.or(&active.mask);
                return;
            }
            if *target > edge.target {
                break;
            }
            at -= 1;
        }
        waiting.insert(at, (edge.target, active.mask));
    }

    fn instruction(&mut self, ins: &Ins, word: u32, active: &Active) -> Result<()> {
        let rows = self.rows;
        match *ins {
            Ins::Unary { op, dst, a, n } => ops::unary(op, rows, active, dst, a, n),
            Ins::Binary { op, dst, a, b, n } => ops::binary(op, rows, active, [dst, a, b], n),
            Ins::Ternary { op, dst, a, b, c, n } => ops::ternary(op, rows, active, [dst, a, b, c], n),
            Ins::Move { dst, src, n } => rows.map1(active, dst, src, n, |x| x),
            Ins::Select { dst, condition, a, b, n } => {
                for i in 0..n {
                    rows.map3(active, [dst + i, condition, a + i, b + i], 1, |c, a, b| if c != 0 { a } else { b });
                }
            }
            Ins::Load { dst, address, footprint, .. } => self.load(active, word, dst, address, footprint)?,
            Ins::Store { src, address, footprint, .. } => self.store(active, word, src, address, footprint)?,
            Ins::Offset { dst, base, bytes } => {
                rows.map1(active, dst, base, 1, |x| super::memory::advance(x, bytes));
            }
            Ins::Index { dst, base, index, stride, limit } => {
                let stride = i64::from(stride);
                rows.map2(active, dst, base, index, 1, |base, index| {
                    if limit != 0 && index >= limit {
                        if super::memory::region_of(base) == 0 { base } else { super::memory::POISON }
                    } else {
                        super::memory::advance(base, (index as i64).wrapping_mul(stride))
                    }
                });
            }
            Ins::RowIndex { dst, base, index, stride, limit } => match base {
                None => rows.map1(active, dst, index, 1, |i| row_offset(0, i, stride, limit)),
                Some(base) => rows.map2(active, dst, base, index, 1, |b, i| row_offset(b, i, stride, limit)),
            },
            Ins::GatherRows { dst, row, offset, n } => self.gather(active, word, dst, row, offset, n)?,
            Ins::ScatterRows { src, row, offset, n } => self.scatter(active, word, src, row, offset, n)?,
            Ins::Element { dst, base, index, stride, input } => {
                self.element(active, dst, base, index, stride, input);
            }
            Ins::DescriptorIndex { dst, base, index } => self.descriptor_index(active, dst, base, index),
            Ins::BufferOf { dst, descriptor } => self.buffer_of(active, dst, descriptor),
            Ins::ArrayLength { dst, address, offset, stride } => {
                let memory = &*self.world.memory;
                rows.map1(active, dst, address, 1, |address| {
                    let bytes = memory.remaining(address).saturating_sub(u64::from(offset));
                    bytes / u64::from(stride.max(1))
                });
            }
            Ins::Atomic { op, dst, address, value, compare, bytes, .. } => {
                self.atomic(active, word, op, [dst, address, value, compare], bytes)?;
            }
            Ins::Derivative { axis, coarse, dst, a, n } => self.derivative(active, axis, coarse, dst, a, n),
            Ins::Subgroup { op, dst, a, b, n } => self.subgroup(active, op, dst, a, b, n),
            Ins::Image(ref ins) => self.image(active, word, ins)?,
            Ins::Ray(ref ins) => self.ray(active, word, ins)?,
            Ins::Print(ref print) => self.print(active, print),
            Ins::Call { function } => self.call(function, active.mask)?,
            Ins::ControlBarrier { subgroup, fence } => {
                self.fence(active, word, fence, true);
                self.barrier(active, word, subgroup)?;
            }
            Ins::MemoryBarrier { fence } => self.fence(active, word, fence, false),
            Ins::Check(ref check) => self.run_check(active, word, check)?,
            Ins::AllocatePayloads { dst, output, group, count, index } => {
                self.allocate(active, word, dst, output, group, count, index)?;
            }
            Ins::EnqueuePayloads { payloads } => self.enqueue(active, word, payloads)?,
            Ins::PayloadLength { dst, payloads, input } => self.payload_length(active, dst, payloads, input),
            Ins::PayloadValid { dst, output, index } => self.payload_valid(active, dst, output, index)?,
            Ins::FinishWriting { dst } => self.finish_writing(active, word, dst)?,
            Ins::SetMeshOutputs { vertices, primitives } => {
                self.set_mesh_outputs(active, word, vertices, primitives)?;
            }
        }
        Ok(())
    }

    /// Executes a barrier. Lanes run in step, so there is nothing to wait for, but all must have come.
    fn barrier(&mut self, active: &Active, word: u32, subgroup: bool) -> Result<()> {
        if active.full {
            return Ok(());
        }
        let lanes = self.rows.lanes;
        let missing = match subgroup {
            false => lanes - active.mask.count(),
            true => {
                // Only subgroups that are here in part.
                let size = self.world.subgroup_size;
                (0..lanes)
                    .step_by(size)
                    .map(|first| first..(first + size).min(lanes))
                    .filter(|group| group.clone().any(|lane| active.mask.contains(lane)))
                    .map(|group| group.filter(|&lane| !active.mask.contains(lane)).count())
                    .sum()
            }
        };
        if missing == 0 {
            return Ok(());
        }
        self.report(FindingCode::PartialBarrier, word, active.mask.lowest(), || {
            format!("{missing} of {lanes} threads are elsewhere or have returned")
        })
    }

    fn row_address(&self, row: Row, lane: usize) -> u64 {
        self.rows.get(row, lane)
    }
}

/// Returns the row offset of an element, all ones if it is out of range.
fn row_offset(base: u64, index: u64, stride: u32, limit: u64) -> u64 {
    if base == u64::MAX || index >= limit { u64::MAX } else { base + index * u64::from(stride) }
}
