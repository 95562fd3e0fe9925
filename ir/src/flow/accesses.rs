//! The memory outside of the thread that a node touches, for checks across nodes.

use super::buffers::{Buffer, Buffers};
use super::places::{Root, root_of};
use super::tree::Tree;
use super::unpublished_writes::{UnpublishedWrites, unpublished_writes};
use crate::function::*;
use crate::position::Position;
use crate::types::{Space, Type};
use indexmap::IndexMap;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Accesses {
    /// Incoherent buffers that are written other than by atomics, and such images, which have no coherence flag. Each
    /// has its first position.
    pub written: IndexMap<Buffer, Option<Position>>,
    /// Memory that is written, coherent or not, and not made visible before records are sent.
    pub unpublished_writes: UnpublishedWrites,
    /// Buffers and images that are read other than by atomics and samplers. Each has its first position.
    pub read: IndexMap<Buffer, Option<Position>>,
    /// The fields of the input record that are accessed.
    pub fields: Fields,
}

/// Fields of a structure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fields {
    All,
    /// By their indexes, sorted.
    Some(Vec<u32>),
}

impl Default for Fields {
    fn default() -> Fields {
        Fields::Some(Vec::new())
    }
}

impl Fields {
    pub fn contains(&self, field: u32) -> bool {
        match self {
            Fields::All => true,
            Fields::Some(fields) => fields.binary_search(&field).is_ok(),
        }
    }

    fn add(&mut self, path: &[u32]) {
        match (path.first(), &mut *self) {
            (None, _) => *self = Fields::All,
            (Some(field), Fields::Some(fields)) => {
                if let Err(at) = fields.binary_search(field) {
                    fields.insert(at, *field);
                }
            }
            (Some(_), Fields::All) => {}
        }
    }
}

/// Returns the memory that a function without calls accesses.
pub fn accesses(function: &Function) -> Accesses {
    let tree = Tree::new(function);
    let buffers = Buffers::of(function);
    let mut out = Accesses { unpublished_writes: unpublished_writes(&tree, &buffers), ..Accesses::default() };
    for step in &tree.steps {
        match step.stmt {
            Stmt::Let(id) => match function.value(*id).map(|value| &value.op) {
                Some(Op::Load(place)) => touch(&mut out, function, &buffers, *place, Access::Read, step.at),
                Some(Op::ImageLoad(load)) => touch(&mut out, function, &buffers, load.image, Access::Read, step.at),
                Some(Op::Atomic { place, .. }) => touch(&mut out, function, &buffers, *place, Access::Atomic, step.at),
                _ => {}
            },
            Stmt::ImageStore { image, .. } => touch(&mut out, function, &buffers, *image, Access::Write, step.at),
            Stmt::Store { place, .. } => touch(&mut out, function, &buffers, *place, Access::Write, step.at),
            _ => {}
        }
    }
    out
}

enum Access {
    Read,
    Write,
    Atomic,
}

fn touch(
    out: &mut Accesses,
    function: &Function,
    buffers: &Buffers<'_>,
    place: ValueId,
    access: Access,
    at: Option<Position>,
) {
    if let Some((Root::Input, path)) = root_of(function, place) {
        out.fields.add(&path);
        return;
    }
    let coherent = match function.type_of(place) {
        Some(Type::Ref(Space::Storage { coherent }, _)) => *coherent,
        Some(Type::Image(_)) => false,
        _ => return,
    };
    let Some(buffer) = buffers.at(place) else { return };
    match access {
        Access::Read => {
            out.read.entry(buffer).or_insert(at);
        }
        Access::Write if !coherent => {
            out.written.entry(buffer).or_insert(at);
        }
        Access::Write | Access::Atomic => {}
    }
}
