//! The functions of a fused node: records of fused edges become locals, and other outputs get their new numbers.
//! Carriers and guests are defined in [`super`], mailboxes in [`super::mailbox`].

use super::build::Numbers;
use super::groups::Shape;
use super::mailbox::{Home, Mailbox, Room};
use crate::builder::FunctionBuilder;
use crate::function::*;
use crate::types::Type;
use rustc_hash::FxHashMap;

pub(super) struct Rewriter<'a> {
    b: &'a mut FunctionBuilder,
    numbers: &'a Numbers,
    mailboxes: FxHashMap<OutputId, Mailbox>,
    /// The mailbox of each handle to records of a fused edge, and the number of its records. The value of the handle is
    /// now the number of its first record.
    handles: FxHashMap<ValueId, (Mailbox, RecordCount)>,
    /// For each place in a record: the index in the node's ends, `carriers[].ends` of the manifest.
    places: FxHashMap<ValueId, u32>,
    /// The records of a guest.
    input: Option<GuestInput>,
    /// The groups of a guest that runs in groups.
    shape: Option<Shape>,
    /// For a node in a loop over its levels.
    levels: Option<Levels>,
}

/// The place of a guest's input.
#[derive(Clone, Copy)]
pub(super) enum GuestInput {
    /// A parameter has the record, if it is not empty.
    Parameter(Option<u32>),
    /// Records in groupshared memory: the first, and their number.
    Shared { slots: Option<ValueId>, first: ValueId, count: ValueId, room: Room },
}

/// The number of records of a request.
#[derive(Clone, Copy)]
struct RecordCount {
    given: ValueId,
    /// If larger than `given`, the request was already reported. Uses of missing records are not reported again.
    requested: ValueId,
}

/// The levels of a recursive node, as values.
#[derive(Clone, Copy)]
pub(super) struct Levels {
    pub level: ValueId,
    pub last: ValueId,
    /// The output that targets the node itself.
    pub output: OutputId,
}

impl<'a> Rewriter<'a> {
    /// Rewrites the function of a carrier.
    pub fn carrier(
        b: &'a mut FunctionBuilder,
        numbers: &'a Numbers,
        mailboxes: FxHashMap<OutputId, Mailbox>,
    ) -> Rewriter<'a> {
        let (handles, places) = (FxHashMap::default(), FxHashMap::default());
        Rewriter { b, numbers, mailboxes, handles, places, input: None, shape: None, levels: None }
    }

    /// Rewrites the function of a guest that runs in threads.
    pub fn guest(b: &'a mut FunctionBuilder, numbers: &'a Numbers, input: GuestInput) -> Rewriter<'a> {
        Rewriter { input: Some(input), ..Rewriter::carrier(b, numbers, FxHashMap::default()) }
    }

    /// Rewrites the function of a guest whose records the group shares.
    pub fn group(
        b: &'a mut FunctionBuilder,
        numbers: &'a Numbers,
        input: GuestInput,
        shape: Option<Shape>,
    ) -> Rewriter<'a> {
        Rewriter { shape, ..Rewriter::guest(b, numbers, input) }
    }

    /// Rewrites one level of a recursive node, whose parameter 0 is its record.
    pub fn level(
        b: &'a mut FunctionBuilder,
        numbers: &'a Numbers,
        mailboxes: FxHashMap<OutputId, Mailbox>,
        levels: Levels,
    ) -> Rewriter<'a> {
        Rewriter {
            levels: Some(levels),
            input: Some(GuestInput::Parameter(Some(0))),
            ..Rewriter::carrier(b, numbers, mailboxes)
        }
    }

    pub fn block(&mut self, block: Block) {
        for stmt in block {
            self.stmt(stmt);
        }
    }

    fn nested(&mut self, block: &mut Block) {
        let inner = std::mem::take(block);
        self.b.begin_block();
        self.block(inner);
        *block = self.b.end_block();
    }

    fn stmt(&mut self, mut stmt: Stmt) {
        match &mut stmt {
            Stmt::Let(id) => return self.value(*id),
            // A place would keep the record in memory.
            Stmt::Holds { value, .. } => {
                value.take_if(|place| self.places.contains_key(place));
            }
            Stmt::Complete(records) if self.handles.contains_key(records) => return,
            Stmt::Barrier(barrier) => {
                barrier.records.take_if(|records| self.handles.contains_key(records));
            }
            Stmt::IncrementCount { output, index, count, .. } => {
                if let Some(mailbox) = self.mailboxes.get(output).copied() {
                    let (index, count) = (*index, *count);
                    self.request(mailbox, None, index, count);
                    return;
                }
                *output = self.number(*output);
            }
            Stmt::Report { end, .. } => {
                *end = self.numbers.ends.get(*end as usize).copied().unwrap_or(*end);
            }
            _ => {
                for block in stmt.blocks_mut() {
                    self.nested(block);
                }
            }
        }
        self.b.push(stmt);
    }

    fn value(&mut self, id: ValueId) {
        let Some(value) = self.b.function().value(id) else { return };
        let (op, ty) = match value.op.clone() {
            Op::Allocate { output, index, count, .. } if self.mailboxes.contains_key(&output) => {
                let Some(mailbox) = self.mailboxes.get(&output).copied() else { return };
                let count = self.request(mailbox, Some(id), index, count);
                self.handles.insert(id, (mailbox, count));
                return;
            }
            Op::OutputRecord { records, index } if self.handles.contains_key(&records) => {
                let Some((mailbox, count)) = self.handles.get(&records).copied() else { return };
                let Some(slots) = mailbox.slots else { return };
                self.places.insert(id, mailbox.end);
                let (index, is_wrong) = self.index_of_record(index, count, mailbox.end);
                let slot = match mailbox.room.most {
                    1 => self.b.const_u32(0),
                    most => {
                        let last = self.b.const_u32(most - 1);
                        let slot = self.b.add(records, index);
                        self.b.min(slot, last)
                    }
                };
                let slot = self.or_spare(slot, is_wrong, mailbox.room);
                (Op::Index { base: slots, index: slot }, None)
            }
            Op::InputRecord { index } if self.input.is_some() => {
                self.places.insert(id, self.numbers.input);
                match self.input {
                    Some(GuestInput::Parameter(Some(parameter))) => (Op::Param(parameter), None),
                    Some(GuestInput::Shared { slots: Some(slots), first, count, room }) => {
                        let count = RecordCount { given: count, requested: count };
                        let (index, is_wrong) = self.index_of_record(index, count, self.numbers.input);
                        let slot = self.b.add(first, index);
                        (Op::Index { base: slots, index: self.or_spare(slot, is_wrong, room) }, None)
                    }
                    _ => return,
                }
            }
            Op::InputCount if self.input.is_some() => match self.input {
                Some(GuestInput::Shared { count, .. }) => (Op::Convert(count), Some(Type::U32)),
                _ => (Op::Const(ScalarConst::u32(1)), None),
            },
            // A fused group is the only consumer of its record, so it is the last.
            Op::FinishedSharing if self.shape.is_some() => (Op::Const(ScalarConst::bool(true)), None),
            Op::Builtin(builtin) if self.shape.is_some() => {
                match self.shape.and_then(|shape| shape.builtin(self.b, builtin)) {
                    // A copy: the value itself must stay, for its users.
                    Some(value) => (Op::Bitcast(value), Some(self.b.ty(value))),
                    None => return self.b.push(Stmt::Let(id)),
                }
            }
            // A guest that runs in threads is a group of one thread.
            Op::Builtin(builtin) if self.input.is_some() && builtin.is_place_of_thread() => (Op::Zero, None),
            Op::RemainingLevels if self.levels.is_some() => {
                let Some(Levels { level, last, .. }) = self.levels else { return };
                (Op::Binary { op: BinaryOp::Sub, lhs: last, rhs: level }, None)
            }
            Op::OutputValid { output, .. } if self.levels.is_some_and(|levels| levels.output == output) => {
                let Some(Levels { level, last, .. }) = self.levels else { return };
                (Op::Binary { op: BinaryOp::Lt, lhs: level, rhs: last }, None)
            }
            Op::OutputValid { output, index } if self.mailboxes.contains_key(&output) => {
                let Some(mailbox) = self.mailboxes.get(&output).copied() else { return };
                match mailbox.elements {
                    // The target exists.
                    None => (Op::Const(ScalarConst::bool(true)), None),
                    Some(_) => {
                        let index = self.b.convert(index, Type::U32);
                        let length = self.b.const_u32(mailbox.length);
                        (Op::Binary { op: BinaryOp::Lt, lhs: index, rhs: length }, None)
                    }
                }
            }
            Op::Allocate { scope, output, index, count } => {
                let output = self.number(output);
                (Op::Allocate { scope, output, index, count }, Some(value.ty.clone()))
            }
            Op::OutputValid { output, index } => (Op::OutputValid { output: self.number(output), index }, None),
            Op::Field { base, index } => {
                if let Some(end) = self.places.get(&base).copied() {
                    self.places.insert(id, end);
                }
                (Op::Field { base, index }, None)
            }
            Op::Index { base, index } => match self.places.get(&base).copied() {
                Some(end) => {
                    self.places.insert(id, end);
                    (Op::Index { base, index: self.in_range(base, index, end) }, None)
                }
                None => (Op::Index { base, index }, None),
            },
            _ => return self.b.push(Stmt::Let(id)),
        };
        self.define(id, op, ty);
    }

    /// Gives a value another operation. Its type follows from the operands, unless it is given.
    fn define(&mut self, id: ValueId, op: Op, ty: Option<Type>) {
        let old = self.b.ty(id);
        let ty = ty.unwrap_or_else(|| match crate::typing::type_of(self.b.function(), &op, &old) {
            Ok(crate::typing::Typing::Is(ty)) => ty,
            _ => old,
        });
        let value = &mut self.b.function_mut().values[id];
        (value.op, value.ty) = (op, ty);
        self.b.push(Stmt::Let(id));
    }

    /// Adds requested records to a mailbox. `handle` becomes the number of the first one. Returns how many there are.
    fn request(&mut self, mailbox: Mailbox, handle: Option<ValueId>, index: ValueId, count: ValueId) -> RecordCount {
        let requested = self.b.convert(count, Type::U32);
        let mut count = requested;
        // A request above the limit is cut, as in a queue.
        if self.b.function().constant(count).is_none_or(|count| count.bits > u64::from(mailbox.max_records)) {
            let most = self.b.const_u32(mailbox.max_records);
            let is_cut = self.b.lt(most, count);
            self.b.if_then(is_cut, |b| b.push(Stmt::Report { misuse: Misuse::Budget, end: mailbox.end }));
            count = self.b.min(count, most);
        }
        let index = self.b.convert(index, Type::U32);
        if mailbox.elements.is_some() {
            let length = self.b.const_u32(mailbox.length);
            let exists = self.b.lt(index, length);
            count = self.if_exists(mailbox, exists, count);
        }
        if let Some(Levels { level, last, .. }) = self.levels {
            let exists = self.b.lt(level, last);
            count = self.if_exists(mailbox, exists, count);
        }
        let first = match mailbox.home {
            Home::Threads => {
                let (scope, order) = (Scope::Workgroup, MemoryOrder::Relaxed);
                let op = AtomicOp::Add;
                Op::Atomic { op, place: mailbox.count, value: count, comparator: None, scope, order }
            }
            Home::Thread | Home::Group => Op::Load(mailbox.count),
        };
        let first = match handle {
            Some(id) => {
                self.define(id, first, Some(Type::U32));
                id
            }
            None => self.b.value_as(Type::U32, first),
        };
        self.name_element(mailbox, first, index, count);
        if mailbox.home != Home::Threads {
            let sum = self.b.add(first, count);
            self.b.store(mailbox.count, sum);
        }
        RecordCount { given: count, requested }
    }

    /// Stores the element that records of an array are for.
    fn name_element(&mut self, mailbox: Mailbox, first: ValueId, index: ValueId, count: ValueId) {
        let Some(elements) = mailbox.elements else { return };
        let (zero, last) = (self.b.const_u32(0), self.b.const_u32(mailbox.room.most - 1));
        let set = |b: &mut FunctionBuilder, n: ValueId| {
            let slot = b.add(first, n);
            let slot = b.min(slot, last);
            let place = b.index(elements, slot);
            b.store(place, index);
        };
        let is_one = mailbox.room.most == 1 || self.b.function().constant(count) == Some(ScalarConst::u32(1));
        let set_all = |b: &mut FunctionBuilder| if is_one { set(b, zero) } else { b.for_range(zero, count, set) };
        if mailbox.home == Home::Group {
            // All threads make the request, and one names the element.
            let thread = self.b.builtin(Builtin::GroupIndex);
            let is_first = self.b.eq(thread, zero);
            self.b.if_then(is_first, set_all);
        } else {
            set_all(self.b);
        }
    }

    /// Returns the index of a record as a u32, and whether it is out of range (`None`: provably in range); reports it.
    fn index_of_record(&mut self, index: ValueId, count: RecordCount, end: u32) -> (ValueId, Option<ValueId>) {
        let number = |id: ValueId| self.b.function().constant(id).map(|constant| constant.bits);
        let is_known = matches!((number(index), number(count.given)), (Some(index), Some(count)) if index < count);
        let index = self.b.convert(index, Type::U32);
        if is_known {
            return (index, None);
        }
        let is_wrong = self.b.binary(BinaryOp::Ge, index, count.given);
        let is_news = match count.given == count.requested {
            true => is_wrong,
            false => self.b.binary(BinaryOp::Ge, index, count.requested),
        };
        self.b.if_then(is_news, |b| b.push(Stmt::Report { misuse: Misuse::Record, end }));
        (index, Some(is_wrong))
    }

    /// Returns the place of a record, or the spare one for a wrong index.
    fn or_spare(&mut self, slot: ValueId, is_wrong: Option<ValueId>, room: Room) -> ValueId {
        match is_wrong.filter(|_| room.spare) {
            Some(is_wrong) => {
                let spare = self.b.const_u32(room.most);
                self.b.select(is_wrong, spare, slot)
            }
            None => slot,
        }
    }

    /// Returns the number of records that a node gets of `count`: none if it does not exist, with a report.
    fn if_exists(&mut self, mailbox: Mailbox, exists: ValueId, count: ValueId) -> ValueId {
        let zero = self.b.const_u32(0);
        let given = self.b.select(exists, count, zero);
        let is_lost = self.b.ne(given, count);
        self.b.if_then(is_lost, |b| b.push(Stmt::Report { misuse: Misuse::Absent, end: mailbox.end }));
        given
    }

    /// Returns an index of a part of a record, limited to its last element, with a report.
    fn in_range(&mut self, base: ValueId, index: ValueId, end: u32) -> ValueId {
        let length = match self.b.ty(base).pointee() {
            Some(Type::Array { len, .. }) => *len,
            Some(Type::Vector(_, n)) => u32::from(*n),
            Some(Type::Matrix(matrix)) => u32::from(matrix.rows),
            _ => return index,
        };
        if self.b.function().constant(index).is_some_and(|index| index.bits < u64::from(length)) {
            return index;
        }
        let index = self.b.convert(index, Type::U32);
        let last = self.b.const_u32(length.saturating_sub(1));
        let is_wrong = self.b.lt(last, index);
        self.b.if_then(is_wrong, |b| b.push(Stmt::Report { misuse: Misuse::Element, end }));
        self.b.min(index, last)
    }

    fn number(&self, output: OutputId) -> OutputId {
        self.numbers.outputs.get(output as usize).copied().flatten().unwrap_or(output)
    }
}
