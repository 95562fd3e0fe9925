//! Globals of the IR: the symbol, type and definition that hold each variable of a program.
//!
//! Sets and bindings depend on the whole program: see [`crate::link::bindings`].

use crate::check::initial::is_computed;
use crate::db::def::{SourcePlace, VarId};
use crate::db::items::{item_tree, items};
use crate::db::ty::{RecordInst, Ty};
use crate::db::{Db, Program};
use crate::tables::binding_options::BlockLayout;
use crate::tables::builtin::Builtin;
use crate::tables::figures::grouped;
use crate::types::blocks::{self, Memory};
use crate::types::const_eval::ConstTree;
use crate::types::extent::MAX_LISTED;
use crate::types::globals::{self, GlobalKind, cbuffer, cbuffer_block, global};
use crate::types::layout::{NoLayout, ir_type, value_type};
use crate::types::record::type_arg;
use crate::types::resource_parts::Part;
use crate::types::resource_types::{counter_symbol, has_counter, resource, texture_buffer};
use rustc_hash::FxHashMap;
use wgc_ir::{Binding, Constant, Count, Symbol, Type};

/// The access path from a function to a global.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GlobalAccess {
    /// `Op::Global` of this symbol has this type: a place, or an image or sampler.
    pub symbol: Symbol,
    pub ty: Type,
    /// The variable's field in that place, for members of a cbuffer.
    pub field: Option<u32>,
}

/// Returns the symbol and type that hold a variable, without its binding.
pub fn access<'db>(db: &'db dyn Db, var: VarId<'db>, owner: Option<RecordInst<'db>>) -> Result<GlobalAccess, NoLayout> {
    let kind = definition_kind(db, var, owner)?;
    let field = match global(db, var, owner).map(|g| g.kind) {
        Some(GlobalKind::CBufferMember(n)) => {
            let members = cbuffer(db, var.item).as_ref().map_or(0, |b| b.members.len());
            Some(n).filter(|n| (*n as usize) < members)
        }
        Some(GlobalKind::Loose) => blocks::loose_position(db, var),
        _ => None,
    };
    let symbol = holder(db, var, owner);
    let ty = wgc_ir::Global { name: symbol.clone(), kind }.value_type();
    Ok(GlobalAccess { symbol, ty, field })
}

/// Returns the symbol that holds a variable: its own, or its cbuffer's.
fn holder<'db>(db: &'db dyn Db, var: VarId<'db>, owner: Option<RecordInst<'db>>) -> Symbol {
    match global(db, var, owner).map(|g| g.kind) {
        Some(GlobalKind::CBufferMember(_)) => match cbuffer(db, var.item) {
            Some(buffer) => buffer.symbol.as_str().into(),
            None => globals::symbol(db, var, owner),
        },
        Some(GlobalKind::Loose) => blocks::GLOBALS.into(),
        _ => globals::symbol(db, var, owner),
    }
}

/// Returns the module's definition of the global that holds a variable, without set and binding.
pub fn ir_global<'db>(
    db: &'db dyn Db,
    var: VarId<'db>,
    owner: Option<RecordInst<'db>>,
) -> Result<wgc_ir::Global, NoLayout> {
    let name = holder(db, var, owner);
    let kind = definition_kind(db, var, owner)?;
    Ok(wgc_ir::Global { name, kind })
}

/// Returns the name of a part of a structure of resources.
pub(crate) fn part_symbol<'db>(
    db: &'db dyn Db,
    var: VarId<'db>,
    owner: Option<RecordInst<'db>>,
    part: &Part<'db>,
) -> Symbol {
    compact_str::format_compact!("{}{}", globals::symbol(db, var, owner), part.name)
}

/// Returns the definition of a part, without set and binding.
pub fn part_global<'db>(
    db: &'db dyn Db,
    var: VarId<'db>,
    owner: Option<RecordInst<'db>>,
    part: &Part<'db>,
) -> Result<wgc_ir::Global, NoLayout> {
    use wgc_ir::GlobalKind as K;
    let name = part_symbol(db, var, owner, part);
    let count = globals::descriptor_count(db, part.ty).ok_or_else(|| NoLayout::new(""))?;
    let binding = Binding { register: part.binding.register, ..Binding::open(count) };
    let layout = var.item.program(db).options(db).bindings.layout;
    let mut kind = resource(db, part.object, globals::element(db, part.ty), false, None, layout, binding)?;
    if let K::Buffer { counter, .. } = &mut kind {
        *counter = has_counter(part.object).then(|| counter_symbol(&name));
    }
    Ok(wgc_ir::Global { name, kind })
}

/// Returns the globals that hold the variables of a translation unit, with the place of the first variable; `None` for a
/// block with explicit offsets.
pub(crate) fn declared<'db>(db: &'db dyn Db, program: Program) -> FxHashMap<Symbol, Option<SourcePlace<'db>>> {
    let mut found = FxHashMap::default();
    for item in items(db, program) {
        for index in 0..item_tree(db, *item).decls.vars.len() as u32 {
            let var = VarId { item: *item, index };
            let Some(declared) = global(db, var, None) else { continue };
            let place = declared.offset.is_none().then_some(declared.place);
            let parts = declared.parts.iter().map(|part| part_symbol(db, var, None, part));
            for name in [holder(db, var, None)].into_iter().chain(parts) {
                let known = found.entry(name).or_insert(place);
                *known = known.filter(|_| place.is_some());
            }
        }
    }
    found
}

/// Returns the definitions of all declared resources of a translation unit, in source order, without set and binding.
/// Constants share the global of their block. Leaves out variables without a layout, which are errors if they are used.
pub(crate) fn resources(db: &dyn Db, program: Program) -> Vec<wgc_ir::Global> {
    let mut found = Vec::new();
    for item in items(db, program) {
        for index in 0..item_tree(db, *item).decls.vars.len() as u32 {
            let var = VarId { item: *item, index };
            let Some(declared) = global(db, var, None) else { continue };
            if let GlobalKind::Resource(_) | GlobalKind::CBufferMember(_) | GlobalKind::Loose = declared.kind {
                found.extend(ir_global(db, var, None));
            }
            found.extend(declared.parts.iter().filter_map(|part| part_global(db, var, None, part).ok()));
        }
    }
    found
}

/// Returns the definition without set and binding, which depend on the whole program.
fn definition_kind<'db>(
    db: &'db dyn Db,
    var: VarId<'db>,
    owner: Option<RecordInst<'db>>,
) -> Result<wgc_ir::GlobalKind, NoLayout> {
    use wgc_ir::GlobalKind as K;
    let silent = || NoLayout::new("");
    let global = global(db, var, owner).ok_or_else(silent)?;
    let value = || globals::initial_value(db, var, owner).map(ir_constant);
    let open = |register| Binding { register, ..Binding::open(Count::One) };
    let layout = var.item.program(db).options(db).bindings.layout;
    Ok(match global.kind {
        GlobalKind::Unsupported
        | GlobalKind::Parts
        | GlobalKind::Subobject(_)
        | GlobalKind::Heap
        | GlobalKind::SystemValue(_)
        | GlobalKind::Text => {
            return Err(silent());
        }
        GlobalKind::Groupshared => K::Workgroup { ty: ir_type(db, global.ty)? },
        // The value is computed when an entry point starts.
        _ if is_computed(db, var, owner) => {
            K::Private { ty: value_type(db, global.ty, layout)?, init: Some(Constant::Zero) }
        }
        _ if global.has_init
            && matches!(global.kind, GlobalKind::Static | GlobalKind::Constant)
            && globals::initial_value(db, var, owner).is_none() =>
        {
            return Err(NoLayout::new("its initialiser is not a constant that the compiler can evaluate"));
        }
        GlobalKind::Static | GlobalKind::Constant if globals::initial_value(db, var, owner).is_some_and(is_long) => {
            let message = format!(
                "its initialiser gives an array more than {} elements, the limit of SPIR-V constants",
                grouped(MAX_LISTED as u64)
            );
            return Err(NoLayout::new(message));
        }
        // A static variable without an initialiser is zero.
        GlobalKind::Static => {
            K::Private { ty: value_type(db, global.ty, layout)?, init: value().or(Some(Constant::Zero)) }
        }
        GlobalKind::Specialised(id) => {
            match crate::types::constant_variables::const_value(db, var.item, var.index, owner) {
                Ok(ConstTree::Scalar(value)) => K::SpecConstant { id, default: value.to_ir() },
                _ => return Err(silent()),
            }
        }
        GlobalKind::Constant => {
            let ty = ir_type(db, global.ty)?;
            K::Constant { ty, value: value().unwrap_or(Constant::Zero) }
        }
        GlobalKind::CBufferMember(_) => {
            let buffer = cbuffer(db, var.item).as_ref().ok_or_else(silent)?;
            let block = cbuffer_block(db, var.item)?;
            match buffer.memory() {
                Memory::Uniform => K::Uniform { block, binding: open(buffer.binding.register) },
                Memory::Storage | Memory::Elements => texture_buffer(block, open(buffer.binding.register)),
            }
        }
        GlobalKind::Loose => K::Uniform { block: blocks::loose_block(db, var.item.program(db))?, binding: open(None) },
        GlobalKind::PushConstant => K::PushConstant { block: pushed_block(db, global.ty, layout)? },
        GlobalKind::Resource(object) => {
            let count = globals::descriptor_count(db, global.ty).ok_or_else(silent)?;
            let binding = Binding { count, ..open(global.binding.register) };
            let counter = has_counter(object).then(|| counter_symbol(&globals::symbol(db, var, owner)));
            let element = globals::element(db, global.ty);
            match resource(db, object, element, global.coherent, global.format, layout, binding)? {
                K::Buffer { element, stride, writable, coherent, binding, .. } => {
                    K::Buffer { element, stride, writable, coherent, counter, binding }
                }
                other => other,
            }
        }
    })
}

/// Returns the structure that a variable of this type pushes: its own, or that of a `ConstantBuffer`.
fn pushed_block<'db>(db: &'db dyn Db, ty: Ty<'db>, layout: BlockLayout) -> Result<Type, NoLayout> {
    let ty = match (crate::types::record::builtin(db, ty), ty.as_record(db)) {
        (Some(Builtin::ConstantBuffer), Some(inst)) => type_arg(db, inst).ok_or_else(|| NoLayout::new(""))?,
        _ => ty,
    };
    blocks::laid_out(db, ty, Memory::Elements, layout)
}

/// Returns the type of a parameter for push constants.
pub fn pushed_type<'db>(db: &'db dyn Db, ty: Ty<'db>, layout: BlockLayout) -> Result<Type, NoLayout> {
    pushed_block(db, ty, layout).map(|block| Type::reference(wgc_ir::Space::PushConstant, block))
}

/// Returns whether a constant or a part of it is too long for a SPIR-V instruction.
fn is_long(tree: &ConstTree) -> bool {
    match tree {
        ConstTree::Scalar(_) => false,
        ConstTree::Composite(parts) => parts.len() > MAX_LISTED || parts.iter().any(is_long),
    }
}

fn ir_constant(tree: &ConstTree) -> Constant {
    match tree {
        ConstTree::Scalar(value) => Constant::Scalar(value.to_ir()),
        ConstTree::Composite(parts) => Constant::Composite(parts.iter().map(ir_constant).collect()),
    }
}
