//! Memory layout of constant and texture buffers: cbuffers, `ConstantBuffer` types, and `$Globals`. `$Globals`
//! gathers the variables that the host sets and that belong to no cbuffer.

use crate::db::def::VarId;
use crate::db::diagnostic::Diagnostic;
use crate::db::items::{item_tree, items};
use crate::db::ty::Ty;
use crate::db::{Db, Program};
use crate::tables::binding_options::BlockLayout;
use crate::types::globals::{self, Global, GlobalKind, Member, global};
use crate::types::layout::NoLayout;
use crate::types::layout_rules::{Body, Rules};
use crate::types::offsets::ExplicitOffset;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use wgc_ir::{StructType, Type};

/// The name of the constant buffer for variables outside cbuffers.
pub const GLOBALS: &str = "$Globals";

/// Returns the variables that the host sets, in the order of the text.
#[salsa::tracked(returns(ref))]
pub fn loose<'db>(db: &'db dyn Db, program: Program) -> Vec<VarId<'db>> {
    let vars = items(db, program)
        .iter()
        .flat_map(|item| (0..item_tree(db, *item).decls.vars.len() as u32).map(|index| VarId { item: *item, index }));
    vars.filter(|var| global(db, *var, None).is_some_and(|g| g.kind == GlobalKind::Loose)).collect()
}

/// Returns the field indexes of the variables in `$Globals`.
#[salsa::tracked(returns(ref))]
fn loose_positions<'db>(db: &'db dyn Db, program: Program) -> FxHashMap<VarId<'db>, u32> {
    loose(db, program).iter().zip(0..).map(|(var, position)| (*var, position)).collect()
}

/// Returns the field index of a variable in `$Globals`.
pub fn loose_position<'db>(db: &'db dyn Db, var: VarId<'db>) -> Option<u32> {
    loose_positions(db, var.item.program(db)).get(&var).copied()
}

/// Returns `$Globals` as a structure. Variables with `register(c3)` are in that row, all others after these.
#[salsa::tracked(returns(clone))]
pub fn loose_block(db: &dyn Db, program: Program) -> Result<Type, NoLayout> {
    Ok(Type::Struct(Arc::new(gathered(db, program)?)))
}

/// Returns the errors in the requested rows of variables outside cbuffers.
pub(crate) fn loose_diagnostics<'db>(db: &'db dyn Db, program: Program) -> Vec<Diagnostic<'db>> {
    let members: Vec<_> = loose(db, program).iter().filter_map(|var| global(db, *var, None)).collect();
    let mut out = Vec::new();
    if members.iter().any(|g| row(g).is_some())
        && let Ok(block) = gathered(db, program)
    {
        crate::types::offsets::report(&block, |i| members[i].place, &mut out);
    }
    out
}

/// Returns the byte offset of `register(c3)`.
fn row(global: &Global) -> Option<u32> {
    match global.binding.register {
        Some(('c', row, _)) => row.checked_mul(16),
        _ => None,
    }
}

fn gathered(db: &dyn Db, program: Program) -> Result<StructType, NoLayout> {
    let rules = Rules::of(program.options(db).bindings.layout, Memory::Uniform);
    let members: Vec<_> = loose(db, program).iter().filter_map(|var| Some((*var, global(db, *var, None)?))).collect();
    let mut body = Body::new(rules);
    let mut indexes = Vec::new();
    for placed in [true, false] {
        for (index, (var, global)) in members.iter().enumerate().filter(|(_, (_, g))| row(g).is_some() == placed) {
            body.add(globals::symbol(db, *var, None), rules.lay(db, global.ty)?, row(global))?;
            indexes.push(index);
        }
        body.continue_at_end();
    }
    let mut block = body.finish(GLOBALS.into())?;
    let mut fields: Vec<_> = indexes.into_iter().zip(block.fields).collect();
    fields.sort_by_key(|(index, _)| *index);
    block.fields = fields.into_iter().map(|(_, field)| field).collect();
    Ok(block)
}

/// Returns a cbuffer as one structure: a field for each member, in the order of the text.
pub fn block<'db>(
    db: &'db dyn Db,
    name: &str,
    members: &[Member<'db>],
    memory: Memory,
    layout: BlockLayout,
) -> Result<Type, NoLayout> {
    let rules = Rules::of(layout, memory);
    let mut body = Body::new(rules);
    for member in members {
        let offset = member.offset.map(ExplicitOffset::bytes);
        body.add(member.name.as_str().into(), rules.lay(db, member.ty)?, offset)?;
    }
    Ok(Type::Struct(Arc::new(body.finish(name.into())?)))
}

/// The memory of a constant block or of a buffer's elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// `cbuffer`, `ConstantBuffer`
    Uniform,
    /// `tbuffer`, `TextureBuffer`: a read-only storage buffer.
    Storage,
    /// Structured buffers and push constants.
    Elements,
}

impl Rules {
    /// Returns the rules of a kind of memory for the layout option.
    pub fn of(layout: BlockLayout, memory: Memory) -> Rules {
        match (layout, memory) {
            (BlockLayout::Scalar, _) => Rules::Scalar,
            (BlockLayout::Dx, Memory::Elements) => Rules::Natural,
            (BlockLayout::Dx, Memory::Uniform | Memory::Storage) => Rules::Rows,
            (BlockLayout::Vulkan | BlockLayout::Gl, _) => {
                Rules::Std { uniform: memory == Memory::Uniform, relaxed: layout == BlockLayout::Vulkan }
            }
        }
    }
}

/// Returns the type of the contents of a constant or texture buffer, or of push constants.
pub fn laid_out<'db>(db: &'db dyn Db, ty: Ty<'db>, memory: Memory, layout: BlockLayout) -> Result<Type, NoLayout> {
    Ok(Rules::of(layout, memory).lay(db, ty)?.ty)
}

/// Returns the type of a structured buffer's element, and the stride.
pub fn element<'db>(db: &'db dyn Db, ty: Ty<'db>, layout: BlockLayout) -> Result<(Type, u32), NoLayout> {
    Rules::of(layout, Memory::Elements).element(db, ty)
}
