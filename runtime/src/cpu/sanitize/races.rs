//! Detection of races: the order of memory accesses.
//!
//! Workgroups run one after the other and lanes in step, so no race really happens here. A finding means that the
//! program does not order two accesses of the same bytes by different threads. At least one of them is a write, and not
//! both are atomic. Accesses are ordered by
//! - the order of one thread;
//! - a control barrier of the workgroup whose semantics name the memory;
//! - between other threads, a fence and an atomic operation after the one access, and an atomic operation and a fence
//!   before the other (a `release` and an `acquire`). The second atomic is assumed to read the value of the first.
//!   Those of another thread of the workgroup count if a barrier is between (`publish`);
//! - a record: a workgroup's reads until it completes the record come before the accesses of the record's consumers, by
//!   any thread. Its writes come before those only after a fence that other workgroups see. The fence is that of the
//!   thread that completes the record, or of one that a barrier orders before that.
//!
//! Dispatches with no barrier between them are an interval. Only the rules above order their workgroups, and the host's
//! reads for an indirect launch are accesses like others. A barrier clears the history.
//!
//! Across workgroups order is not enough: a plain write is visible only if it and the read are coherent ([`Space`]).
//!
//! For each four bytes, the last write and the last reads of two workgroups are kept. Some races therefore go
//! unnoticed, but every reported race is real.

use super::publish::{Published, Publisher};
use crate::cpu::memory::address_of;
use crate::cpu::program::{Fence, Program, Space};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The history is cleared beyond this many accesses or workgroups.
const MAX_EVENTS: usize = 1 << 23;
const MAX_GROUPS: usize = 1 << 21;
/// Lane number for accesses by several lanes.
const MANY: u16 = u16::MAX;
/// Bytes of a page of the history.
const PAGE: u64 = 256;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    Read,
    Write,
    AtomicRead,
    Atomic,
    /// An atomic like [`Access::Atomic`]. Loops around it first read without ordering, and it detects a bad read.
    CompareExchange,
}

impl Access {
    /// Returns whether two accesses of the same bytes may race.
    fn conflicts(self, other: Access) -> bool {
        let guess = |a: Access, b: Access| a == Access::CompareExchange && b == Access::Read;
        (self.writes() || other.writes())
            && !(self.is_atomic() && other.is_atomic())
            && !guess(self, other)
            && !guess(other, self)
    }

    fn is_atomic(self) -> bool {
        matches!(self, Access::AtomicRead | Access::Atomic | Access::CompareExchange)
    }

    fn writes(self) -> bool {
        matches!(self, Access::Write | Access::Atomic | Access::CompareExchange)
    }

    /// Returns the verb of "thread 3 reads".
    pub fn verb(self) -> &'static str {
        match self {
            Access::Read => "reads",
            Access::Write => "writes",
            Access::AtomicRead => "reads atomically",
            Access::Atomic | Access::CompareExchange => "changes atomically",
        }
    }

    /// Returns the clause of "which thread 3 has read".
    pub fn past(self) -> &'static str {
        match self {
            Access::Read => "has read",
            Access::Write => "has written",
            Access::AtomicRead => "has read atomically",
            Access::Atomic | Access::CompareExchange => "has changed atomically",
        }
    }
}

/// An earlier access that is not ordered before the current one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conflict {
    pub access: Access,
    /// The access's instruction; 0 for a launch that read its arguments.
    pub word: u32,
    pub node: u32,
    /// Thread of its workgroup, if it was one alone.
    pub lane: Option<usize>,
    /// Set if one workgroup made both accesses.
    pub near: bool,
    /// The lane, if the same instruction made it.
    pub peer: Option<usize>,
    /// They are ordered, but one of them is not a coherent access.
    pub unseen: bool,
}

/// The origin of a record; all 0 for the host's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Parent {
    /// The workgroup that sent it.
    pub group: u32,
    /// The event of its completion.
    pub completed: u32,
    /// The publications that come with it.
    pub released: Published,
}

/// The accesses of one instruction, once for all its lanes. Events have numbers in the order in which they happen.
#[derive(Clone, Copy, Debug)]
struct Event {
    group: u32,
    word: u32,
}

/// The last accesses of four bytes.
#[derive(Clone, Copy, Debug)]
struct Touch {
    /// 0: no access.
    event: u32,
    lane: u16,
    /// The accessed bytes.
    mask: u8,
    access: Access,
}

const NOBODY: Touch = Touch { event: 0, lane: 0, mask: 0, access: Access::Read };

#[derive(Clone, Copy, Debug)]
struct Cell {
    write: Touch,
    /// The write was atomic or coherent.
    coherent: bool,
    reads: [Touch; 2],
}

const UNTOUCHED: Cell = Cell { write: NOBODY, coherent: false, reads: [NOBODY; 2] };

/// Events that order a thread's accesses with those of other threads in its workgroup; 0 for none yet.
#[derive(Clone, Copy, Debug, Default)]
struct Sync {
    fence: u32,
    /// The last atomic operation after a fence, and that fence.
    release: u32,
    released: u32,
    atomic: u32,
    /// The last atomic operation that was followed by a fence.
    acquire: u32,
}

impl Sync {
    fn fence(&mut self, event: u32, fence: Fence) {
        if fence.release {
            self.fence = event;
        }
        if fence.acquire {
            self.acquire = self.atomic;
        }
    }

    fn atomic(&mut self, event: u32) {
        self.atomic = event;
        if self.fence != 0 {
            (self.release, self.released) = (event, self.fence);
        }
    }

    /// Returns whether an access at `event` on this side comes before the other side's current one.
    fn before(&self, event: u32, other: &Sync) -> bool {
        self.release != 0 && event <= self.released && self.release <= other.acquire
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Group {
    node: u32,
    /// The origins of its records: first and number in [`Races::parents`].
    parents: (u32, u32),
    /// Threads.
    lanes: u32,
    published: Published,
}

/// A dispatch, as findings name it.
#[derive(Debug)]
pub struct Launched {
    pub name: String,
    pub program: Arc<Program>,
}

#[derive(Debug, Default)]
pub struct Races {
    /// The dispatches of the interval: the nodes of their workgroups. Graphs have none.
    launched: Vec<Launched>,
    events: Vec<Event>,
    /// The number of the first of [`Races::groups`].
    first: u32,
    groups: Vec<Group>,
    parents: Vec<Parent>,
    pages: FxHashMap<u64, u32>,
    cells: Vec<[Cell; PAGE as usize / 4]>,
    spare: Vec<u32>,
    /// Last page looked up and its index (a cache).
    last: (u64, u32),
    /// The running workgroup, or the first of those that run together.
    group: u32,
    /// Each lane is a workgroup.
    lanes_are_groups: bool,
    lanes: Vec<Sync>,
    publisher: Publisher,
    /// Last barriers of the workgroup for its own memory and for all other memory.
    barriers: [u32; 2],
}

impl Races {
    /// Creates the detector. Number 0 belongs to no workgroup.
    pub fn new() -> Races {
        Races { first: 1, ..Races::default() }
    }

    /// Clears the history: all later accesses are ordered after it.
    pub fn clear(&mut self) {
        let first = self.next_group();
        *self = Races { first, ..Races::default() };
    }

    /// Starts a dispatch, in the interval of those before it. Returns its number, which is the node of its workgroups.
    pub fn launch(&mut self, name: &str, program: &Arc<Program>) -> u32 {
        self.launched.push(Launched { name: name.to_owned(), program: program.clone() });
        self.launched.len() as u32 - 1
    }

    /// Returns the dispatch whose workgroups have this node.
    pub fn launched(&self, node: u32) -> Option<&Launched> {
        self.launched.get(node as usize)
    }

    /// Returns the node of the running workgroup.
    pub fn node(&self) -> u32 {
        self.group(self.group).map_or(0, |group| group.node & !BATCH)
    }

    /// Records the read of an indirect dispatch's arguments.
    pub fn arguments(&mut self, node: u32, address: u64, bytes: u64) -> Option<Conflict> {
        self.start(node, 1, false, &[]);
        // No instruction of a module.
        let event = self.event(0);
        self.touch(event, 0, address, bytes, Access::Read, Space::Device { coherent: true })
    }

    fn next_group(&self) -> u32 {
        self.first + self.groups.len() as u32
    }

    /// Starts a workgroup of `lanes` threads, or as many workgroups of one. `parents` are the origins of its records;
    /// in the latter case each lane has its own.
    pub fn start(&mut self, node: u32, lanes: usize, lanes_are_groups: bool, parents: &[Parent]) {
        let kept = self.events.len().max(self.publisher.kept());
        if self.groups.len() > MAX_GROUPS || kept > MAX_EVENTS {
            let launched = std::mem::take(&mut self.launched);
            self.clear();
            self.launched = launched;
        }
        self.group = self.next_group();
        self.lanes_are_groups = lanes_are_groups;
        self.lanes.clear();
        self.lanes.resize(lanes, Sync::default());
        self.publisher.start(lanes, lanes_are_groups);
        let published = Published::default();
        self.barriers = [0; 2];
        let first = self.parents.len() as u32;
        let known = self.first;
        if lanes_are_groups {
            self.parents.extend_from_slice(parents);
            for i in 0..lanes as u32 {
                let parents = if (i as usize) < parents.len() { (first + i, 1) } else { (0, 0) };
                self.groups.push(Group { node: node | BATCH, parents, lanes: 1, published });
            }
        } else {
            // Workgroups of one record are consecutive.
            let same = self.groups.last().map(|g| g.parents).filter(|&(at, n)| self.list((at, n)) == parents);
            let parents = same.unwrap_or_else(|| {
                self.parents.extend(parents.iter().copied().filter(|p| p.group >= known));
                (first, self.parents.len() as u32 - first)
            });
            self.groups.push(Group { node, parents, lanes: lanes as u32, published });
        }
    }

    fn list(&self, (first, n): (u32, u32)) -> &[Parent] {
        self.parents.get(first as usize..(first + n) as usize).unwrap_or(&[])
    }

    /// Returns the running workgroup of a lane, as [`Parent::group`] of later ones.
    pub fn group_of(&self, lane: usize) -> u32 {
        if self.lanes_are_groups { self.group + lane as u32 } else { self.group }
    }

    fn group(&self, number: u32) -> Option<&Group> {
        self.groups.get(number.checked_sub(self.first)? as usize)
    }

    /// Forgets freed memory: later memory at its address is unrelated.
    pub fn forget(&mut self, region: u32, bytes: u64) {
        let start = address_of(region) / PAGE;
        for page in start..start + bytes.div_ceil(PAGE) {
            if let Some(at) = self.pages.remove(&page) {
                if let Some(cells) = self.cells.get_mut(at as usize) {
                    *cells = [UNTOUCHED; PAGE as usize / 4];
                }
                self.spare.push(at);
            }
        }
        self.last = (0, 0);
    }

    /// Adds an instruction that accesses memory or orders it.
    pub fn event(&mut self, word: u32) -> u32 {
        if self.events.is_empty() {
            self.events.push(Event { group: 0, word: 0 });
        }
        self.events.push(Event { group: self.group, word });
        self.events.len() as u32 - 1
    }

    /// Records that lanes reach a barrier that orders memory. `control`: all wait for each other there.
    pub fn fence(&mut self, event: u32, lanes: impl Iterator<Item = usize>, fence: Fence, control: bool) {
        if control {
            let [group, device] = &mut self.barriers;
            if fence.group {
                *group = event;
            }
            if fence.device {
                *device = event;
            }
            self.publisher.meet(event, fence);
        }
        for lane in lanes {
            if let Some(sync) = self.lanes.get_mut(lane) {
                sync.fence(event, fence);
            }
            if fence.device && fence.far {
                self.publish(lane, |publisher, group| publisher.fence(group, event, lane, fence, control));
            }
        }
    }

    fn publish(&mut self, lane: usize, f: impl FnOnce(&mut Publisher, &mut Published)) {
        let at = self.group_of(lane).wrapping_sub(self.first) as usize;
        if let Some(group) = self.groups.get_mut(at) {
            f(&mut self.publisher, &mut group.published);
        }
    }

    /// Records a lane's atomic operation.
    pub fn atomic(&mut self, event: u32, lane: usize, space: Space, orders: bool) {
        let fence = Fence { group: true, device: true, far: true, release: true, acquire: true };
        if let Some(sync) = self.lanes.get_mut(lane) {
            if orders {
                sync.fence(event, fence);
            }
            sync.atomic(event);
            if orders {
                sync.fence(event, fence);
            }
        }
        if !space.is_workgroups() {
            self.publish(lane, |publisher, group| {
                if orders {
                    publisher.fence(group, event, lane, fence, false);
                }
                publisher.atomic(group, event, lane);
                if orders {
                    publisher.fence(group, event, lane, fence, false);
                }
            });
        }
    }

    /// Records are completed: those of the workgroup, or (`of_lane`) those of the lane alone.
    pub fn complete(&mut self, event: u32, lane: usize, of_lane: bool) -> Parent {
        let thread = (of_lane || self.lanes_are_groups).then_some(lane);
        Parent { group: self.group_of(lane), completed: event, released: self.publisher.complete(event, thread) }
    }

    /// Records a lane's call of FinishedCrossGroupSharing: the caller that gets `true` sees everything that the others
    /// have published before.
    pub fn finish(&mut self, event: u32, lane: usize) {
        if let Some(sync) = self.lanes.get_mut(lane) {
            sync.atomic(event);
            sync.acquire = event;
        }
        self.publish(lane, |publisher, group| publisher.finish(group, event, lane));
    }

    /// Records an access of memory. Returns the earlier access that it races with, if there is one.
    pub fn touch(
        &mut self,
        event: u32,
        lane: usize,
        address: u64,
        bytes: u64,
        access: Access,
        space: Space,
    ) -> Option<Conflict> {
        let mut found = None;
        let end = address + bytes;
        for granule in address / 4..end.div_ceil(4) {
            let from = address.max(granule * 4) - granule * 4;
            let to = end.min(granule * 4 + 4) - granule * 4;
            let mask = ((1u16 << to) - (1u16 << from)) as u8;
            let page = self.page(granule * 4 / PAGE);
            let at = (granule % (PAGE / 4)) as usize;
            let Some(mut cell) = self.cells.get(page).and_then(|p| p.get(at)).copied() else { continue };
            let races = |touch: &Touch| {
                let conflicts = touch.event != 0 && touch.mask & mask != 0 && touch.access.conflicts(access);
                if !conflicts {
                    return None;
                }
                // A read gets its value when it is executed; later writes are seen later.
                let sees = access != Access::Read || space.is_coherent();
                let seen = !touch.access.writes() || (cell.coherent && sees);
                match self.ordered(touch, lane, space) {
                    Order::None => Some((*touch, false)),
                    Order::Across if !seen => Some((*touch, true)),
                    Order::Across | Order::Within => None,
                }
            };
            if found.is_none() {
                let other = std::iter::once(&cell.write).chain(&cell.reads).find_map(races);
                found = other.map(|(other, unseen)| Conflict { unseen, ..self.conflict(&other, event) });
            }
            let now = Touch { event, lane: lane as u16, mask, access };
            if access.writes() {
                // The parts of one write, and of one instruction's other lanes.
                let same = cell.write.event == event && cell.write.lane == now.lane;
                cell.write = if same { Touch { mask: cell.write.mask | mask, ..now } } else { now };
                cell.coherent = access.is_atomic() || space.is_coherent();
            } else {
                self.remember_read(&mut cell, now);
            }
            if let Some(slot) = self.cells.get_mut(page).and_then(|p| p.get_mut(at)) {
                *slot = cell;
            }
        }
        found
    }

    fn remember_read(&self, cell: &mut Cell, now: Touch) {
        let group = |touch: &Touch| self.group_at(touch);
        let [first, second] = &mut cell.reads;
        // A read before the last barrier conflicts with nothing after it.
        let recent = first.event > self.barriers[0].max(self.barriers[1]);
        let near = first.event == 0 || group(first) == group(&now);
        let both = near && recent && first.event != 0 && first.lane != now.lane && !self.lanes_are_groups;
        let apart = both && first.mask & now.mask == 0;
        if near && !apart {
            // An atomic read races with fewer accesses: the plain one stays.
            let access = if both && first.access == Access::Read { Access::Read } else { now.access };
            // Bytes that only one of them has read are left out: their reader may still write them.
            let mask = match both {
                true if first.lane == MANY => first.mask,
                true => first.mask & now.mask,
                false => now.mask,
            };
            *first = Touch { event: now.event, lane: if both { MANY } else { now.lane }, mask, access };
        } else {
            *second = *first;
            *first = now;
        }
    }

    fn page(&mut self, page: u64) -> usize {
        if self.last.0 == page && page != 0 {
            return self.last.1 as usize;
        }
        let at = *self.pages.entry(page).or_insert_with(|| match self.spare.pop() {
            Some(at) => at,
            None => {
                self.cells.push([UNTOUCHED; PAGE as usize / 4]);
                self.cells.len() as u32 - 1
            }
        });
        self.last = (page, at);
        at as usize
    }

    /// Returns the workgroup that made an access.
    fn group_at(&self, touch: &Touch) -> u32 {
        let group = self.events.get(touch.event as usize).map_or(0, |e| e.group);
        // All workgroups of a batch have one node: the first of them represents all.
        if touch.lane != MANY && self.group(group).is_some_and(|g| g.node & BATCH != 0) {
            group + u32::from(touch.lane)
        } else {
            group
        }
    }

    fn ordered(&self, touch: &Touch, lane: usize, space: Space) -> Order {
        let within = |ordered: bool| if ordered { Order::Within } else { Order::None };
        let (then, now) = (self.group_at(touch), self.group_of(lane));
        if then == now {
            if usize::from(touch.lane) == lane || self.lanes_are_groups {
                return Order::Within;
            }
            let barrier = self.barriers[usize::from(!space.is_workgroups())];
            if touch.event <= barrier {
                return Order::Within;
            }
            let lanes = self.lanes.get(usize::from(touch.lane)).zip(self.lanes.get(lane));
            return within(lanes.is_some_and(|(then, now)| then.before(touch.event, now)));
        }
        // Each workgroup has its own; entries older than the history do not matter.
        if space.is_workgroups() || self.group(then).is_none() {
            return Order::Within;
        }
        if self.descends(now, lane, then, touch) { Order::Across } else { Order::None }
    }

    /// Returns whether a workgroup comes after an access of another one through records. The running lane got a record
    /// that the other workgroup completed after its access, or a record of a workgroup that comes after that.
    fn descends(&self, group: u32, lane: usize, from: u32, touch: &Touch) -> bool {
        let Some(then) = self.group(from) else { return true };
        let thread = match (touch.lane, then.node & BATCH != 0) {
            (_, true) => Some(0),
            (MANY, _) => None,
            (lane, _) => Some(usize::from(lane)),
        };
        let threads = then.lanes as usize;
        // Workgroups, each with the last atomic operation that it had acquired when it sent the record that leads here.
        let mut open = vec![(group, self.publisher.acquired(lane))];
        let mut seen: Vec<(u32, u32)> = Vec::new();
        while let Some((at, acquired)) = open.pop() {
            let Some(one) = self.group(at) else { continue };
            if then.published.reaches(&self.publisher, touch.event, thread, threads, acquired) {
                return true;
            }
            for &parent in self.list(one.parents) {
                if parent.group == from && touch.event <= parent.completed {
                    let (released, publisher) = (&parent.released, &self.publisher);
                    // The sender may know from another thread's atomic operation that it was the last.
                    let knows_by_atomic = || {
                        released.acquired() != 0
                            && then.published.reaches(publisher, touch.event, thread, threads, u32::MAX)
                    };
                    let sent = || released.takes(publisher, touch.event, thread, threads);
                    if !touch.access.writes() || sent() || knows_by_atomic() {
                        return true;
                    }
                }
                let step = (parent.group, parent.released.acquired());
                // A later group is never the ancestor of an earlier one.
                if parent.group > from && !seen.iter().any(|&(group, until)| group == step.0 && until >= step.1) {
                    seen.push(step);
                    open.push(step);
                }
            }
        }
        false
    }

    fn conflict(&self, touch: &Touch, now: u32) -> Conflict {
        let event = self.events.get(touch.event as usize).copied().unwrap_or(Event { group: 0, word: 0 });
        let group = self.group(event.group);
        let node = group.map_or(0, |g| g.node & !BATCH);
        let batch = group.is_some_and(|g| g.node & BATCH != 0);
        Conflict {
            access: touch.access,
            word: event.word,
            node,
            lane: (touch.lane != MANY && !batch).then_some(usize::from(touch.lane)),
            near: event.group == self.group && !self.lanes_are_groups,
            unseen: false,
            peer: (touch.event == now && touch.lane != MANY).then_some(usize::from(touch.lane)),
        }
    }
}

/// The reason why an earlier access comes before the current one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    None,
    /// By the order of a thread or of a workgroup.
    Within,
    /// Through publication between workgroups.
    Across,
}

/// Marks the node of workgroups that are lanes.
const BATCH: u32 = 1 << 31;

#[cfg(test)]
mod tests;
