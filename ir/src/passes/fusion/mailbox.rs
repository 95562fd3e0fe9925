//! Mailboxes: the place of the records of a fused edge, in locals of each thread or in groupshared memory. Carriers and
//! guests are defined in [`super`].

use crate::Symbol;
use crate::builder::FunctionBuilder;
use crate::function::*;
use crate::graph::{Node, Output, OutputArray};
use crate::module::{Global, GlobalKind};
use crate::types::{Space, Type};

/// The memory of the records of an edge, and how they are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Home {
    /// Locals of each thread.
    Thread,
    /// Groupshared memory. The whole group makes each request, so each thread counts all records.
    Group,
    /// Groupshared memory. Threads make their own requests, so a groupshared word counts the records.
    Threads,
}

/// The room of a mailbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Room {
    /// The most records.
    pub most: u32,
    /// An index may be wrong. It gets one more place, which nobody consumes.
    pub spare: bool,
}

/// The records of one output, in a function.
#[derive(Clone, Copy)]
pub(super) struct Mailbox {
    pub home: Home,
    /// An array of records. `None` for empty records.
    pub slots: Option<ValueId>,
    /// For an array of nodes: the element of each record.
    pub elements: Option<ValueId>,
    /// The number of records so far.
    pub count: ValueId,
    pub room: Room,
    /// The MaxRecords of the output.
    pub max_records: u32,
    /// The number of nodes of the array; 1 if it is none.
    pub length: u32,
    /// The number of the sender's end in reports.
    pub end: u32,
}

/// The function that a mailbox is used in.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// The fused function, which has the locals.
    Whole,
    /// The carrier's part, which gets the locals by reference.
    Carrier,
}

/// The parts of a mailbox.
#[derive(Clone, Copy, PartialEq, Eq)]
enum MailboxPart {
    Records,
    Elements,
    Count,
}

impl MailboxPart {
    fn name(self) -> &'static str {
        match self {
            MailboxPart::Records => "records",
            MailboxPart::Elements => "elements",
            MailboxPart::Count => "count",
        }
    }
}

impl Home {
    fn is_shared(self, part: MailboxPart) -> bool {
        match self {
            Home::Thread => false,
            Home::Group => part != MailboxPart::Count,
            Home::Threads => true,
        }
    }
}

/// Returns the type of the records of an output. `None` for empty records.
fn slots_type(output: &Output, room: Room) -> Option<Type> {
    let record = output.record.as_ref()?.ty.as_value();
    let stride = record.size().unwrap_or(0);
    Some(Type::Array { element: record.into(), len: room.most.saturating_add(room.spare.into()), stride })
}

fn parts(output: &Output, room: Room) -> impl Iterator<Item = (MailboxPart, Type)> {
    let slots = slots_type(output, room).map(|ty| (MailboxPart::Records, ty));
    let elements = (output.array != OutputArray::Single)
        .then(|| (MailboxPart::Elements, Type::Array { element: Type::U32.into(), len: room.most, stride: 4 }));
    slots.into_iter().chain(elements).chain([(MailboxPart::Count, Type::U32)])
}

fn symbol(node: &Node, number: usize, part: MailboxPart) -> Symbol {
    Symbol::from(format!("{}.{}.{number}", node.function, part.name()))
}

/// Returns the groupshared variables of a mailbox.
pub(super) fn globals(node: &Node, number: usize, home: Home, room: Room) -> Vec<Global> {
    let shared = parts(&node.outputs[number], room).filter(|(part, _)| home.is_shared(*part));
    shared.map(|(part, ty)| Global { name: symbol(node, number, part), kind: GlobalKind::Workgroup { ty } }).collect()
}

/// Returns the place of the groupshared records of an output. `None` for empty records.
pub(super) fn records(b: &mut FunctionBuilder, (node, number): (&Node, usize), room: Room) -> Option<ValueId> {
    let ty = slots_type(&node.outputs[number], room)?;
    Some(b.global_as(symbol(node, number, MailboxPart::Records), Type::reference(Space::Workgroup, ty)))
}

impl Mailbox {
    /// Makes the mailbox of an output.
    pub fn new(
        b: &mut FunctionBuilder,
        side: Side,
        (node, number): (&Node, usize),
        home: Home,
        room: Room,
        end: u32,
    ) -> Mailbox {
        let output = &node.outputs[number];
        let (mut slots, mut elements, mut count) = (None, None, None);
        for (part, ty) in parts(output, room) {
            let place = match (home.is_shared(part), side) {
                (true, _) => b.global_as(symbol(node, number, part), Type::reference(Space::Workgroup, ty)),
                (false, Side::Whole) => b.new_local(part.name(), ty),
                (false, Side::Carrier) => b.param(part.name(), Type::reference(Space::Function, ty)),
            };
            match part {
                MailboxPart::Records => slots = Some(place),
                MailboxPart::Elements => elements = Some(place),
                MailboxPart::Count => count = Some(place),
            }
        }
        let length = match output.array {
            OutputArray::Sized(length) => length,
            _ => 1,
        };
        let count = count.unwrap_or_else(|| b.const_u32(0));
        Mailbox { home, slots, elements, count, room, max_records: node.budget(number).1, length, end }
    }

    /// Iterates over the locals, which the carrier's part gets by reference.
    pub fn locals(self) -> impl Iterator<Item = ValueId> {
        let own = |part: MailboxPart, place: Option<ValueId>| place.filter(|_| !self.home.is_shared(part));
        let [slots, elements, count] = [
            own(MailboxPart::Records, self.slots),
            own(MailboxPart::Elements, self.elements),
            own(MailboxPart::Count, Some(self.count)),
        ];
        slots.into_iter().chain(elements).chain(count)
    }
}
