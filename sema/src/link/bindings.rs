//! Bindings: the descriptor set and binding of each resource of a program (assigned by [`crate::link::assignment`]),
//! and the IR's global for each.

use crate::check::symbol::full_name;
use crate::db::def::{Item, SourcePlace, VarId};
use crate::db::diagnostic::Diagnostic;
use crate::db::items::{item_tree, items};
use crate::db::{Db, Program};
use crate::link::link;
use crate::lower::globals::{access, part_global, part_symbol};
use crate::tables::builtin::Builtin;
use crate::tables::codes::Code;
use crate::types::blocks;
use crate::types::globals::{self, DeclaredBinding, GlobalKind, cbuffer, global};
use crate::types::resource_types::{counter_symbol, has_counter, is_counter};
use std::collections::{BTreeMap, BTreeSet};
use wgc_ir::{Count, Symbol, Type};

/// All bindings of a program by symbol.
#[derive(Clone, Debug, Default, PartialEq, Eq, salsa::SalsaValue)]
pub struct Bindings<'db> {
    /// Set and binding.
    pub of: BTreeMap<String, (u32, u32)>,
    pub diagnostics: Vec<Diagnostic<'db>>,
}

impl Bindings<'_> {
    /// Returns the bindings in use once all resources of a module have theirs. Unused declared resources keep their
    /// bindings, unused counters do not.
    pub fn taken(&self, module: &wgc_ir::Module) -> BTreeSet<(u32, u32)> {
        let keeps = |name: &str| !is_counter(name) || module.globals.contains_key(name);
        self.of.iter().filter(|(name, _)| keeps(name)).map(|(_, slot)| *slot).collect()
    }
}

/// A resource that needs a binding.
#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub struct BindingRequest<'db> {
    pub symbol: String,
    pub declared: DeclaredBinding,
    /// The letter of its registers.
    pub class: char,
    /// Vulkan's name for the descriptor: two of one kind may share a binding that the source names for both.
    pub kind: &'static str,
    /// The type of its `Op::Global`, for a valid declaration.
    pub ty: Option<Type>,
    pub has_counter: bool,
    /// An Append or Consume buffer, whose counter is numbered with it; the counters of other buffers come last.
    pub is_counted: bool,
    /// A part of a structure of resources.
    pub is_part: bool,
    /// The number of resources in it.
    pub count: u32,
    pub place: SourcePlace<'db>,
}

impl BindingRequest<'_> {
    /// Returns the register that decides its binding, unless `[[vk::binding]]` does.
    pub fn register(&self) -> Option<(char, u32, u32)> {
        self.declared.register.filter(|_| self.declared.vulkan.is_none())
    }
}

/// Returns the bindings of one translation unit alone.
pub fn bindings<'db>(db: &'db dyn Db, program: Program) -> &'db Bindings<'db> {
    &link(db, program).bindings
}

/// Sets the descriptor sets and bindings of a module's globals.
pub(crate) fn bind(of: &BTreeMap<String, (u32, u32)>, module: &mut wgc_ir::Module) {
    for global in module.globals.values_mut() {
        let slot = of.get(global.name.as_str());
        if let (Some(binding), Some((set, number))) = (global.binding_mut(), slot) {
            (binding.set, binding.binding) = (*set, *number);
        }
    }
}

/// Returns the resources of a translation unit, in source order.
#[salsa::tracked(returns(ref))]
pub fn wanted<'db>(db: &'db dyn Db, program: Program) -> Vec<BindingRequest<'db>> {
    let (mut wanted, mut loose) = (Vec::new(), false);
    for item in items(db, program) {
        let vars = item_tree(db, *item).decls.vars.len() as u32;
        for index in 0..vars {
            let var = VarId { item: *item, index };
            let Some(global) = global(db, var, None) else { continue };
            if global.kind == GlobalKind::Loose && !loose {
                // At the first of its members, unless the command line gives a binding.
                loose = true;
                let vulkan = program.options(db).bindings.globals.map(|slot| (slot.binding, slot.set));
                wanted.push(BindingRequest {
                    symbol: blocks::GLOBALS.to_string(),
                    declared: DeclaredBinding { vulkan, ..DeclaredBinding::default() },
                    class: 'b',
                    kind: "uniform buffer",
                    ty: blocks::loose_block(db, program).ok(),
                    has_counter: false,
                    is_counted: false,
                    is_part: false,
                    count: 1,
                    place: global.place,
                });
            }
            if let GlobalKind::Resource(object) = global.kind {
                wanted.push(BindingRequest {
                    symbol: globals::symbol(db, var, None).to_string(),
                    declared: global.binding,
                    class: object.register_class().unwrap_or('u'),
                    kind: descriptor_kind(object),
                    ty: access(db, var, None).ok().map(|access| access.ty),
                    has_counter: has_counter(object),
                    is_counted: object == Builtin::CountedBuffer,
                    is_part: false,
                    count: match globals::descriptor_count(db, global.ty) {
                        Some(Count::Array(n)) => n,
                        _ => 1,
                    },
                    place: global.place,
                });
            }
            for part in &global.parts {
                wanted.push(BindingRequest {
                    symbol: part_symbol(db, var, None, part).to_string(),
                    declared: part.binding,
                    class: part.object.register_class().unwrap_or('u'),
                    kind: descriptor_kind(part.object),
                    ty: part_global(db, var, None, part).ok().map(|part| part.value_type()),
                    has_counter: has_counter(part.object),
                    is_counted: part.object == Builtin::CountedBuffer,
                    is_part: true,
                    count: part.count(db),
                    place: global.place,
                });
            }
        }
        // A buffer with only resources does not count as one; resources in other buffers precede their buffer.
        if let Some(buffer) = cbuffer(db, *item).as_ref().filter(|buffer| vars == 0 || !buffer.members.is_empty()) {
            wanted.push(BindingRequest {
                symbol: buffer.symbol.clone(),
                declared: buffer.binding,
                class: if buffer.is_texture { 't' } else { 'b' },
                kind: if buffer.is_texture { "storage buffer" } else { "uniform buffer" },
                ty: globals::cbuffer_block(db, *item).ok(),
                has_counter: false,
                is_counted: false,
                is_part: false,
                count: 1,
                place: buffer.place,
            });
        }
    }
    wanted
}

/// Returns the symbols of all resources that a program declares, used or not, including counters and push constants.
pub fn declared(db: &dyn Db, program: Program) -> Vec<String> {
    let mut out = Vec::new();
    for unit in crate::db::units(db, program) {
        for resource in wanted(db, unit) {
            out.extend(resource.has_counter.then(|| counter_symbol(&resource.symbol.as_str().into()).to_string()));
            out.push(resource.symbol.clone());
        }
        out.extend(pushed(db, unit).into_iter().map(|var| globals::symbol(db, var, None).to_string()));
    }
    out
}

/// Returns the blocks of push constants of a translation unit.
pub(crate) fn pushed<'db>(db: &'db dyn Db, program: Program) -> Vec<VarId<'db>> {
    let vars = |item: &Item<'db>| {
        let item = *item;
        (0..item_tree(db, item).decls.vars.len() as u32).map(move |index| VarId { item, index })
    };
    let is_push = |var: &VarId<'_>| global(db, *var, None).is_some_and(|g| g.kind == GlobalKind::PushConstant);
    items(db, program).iter().flat_map(vars).filter(is_push).collect()
}

/// Reports all blocks of push constants after the first, used or not, as in DXC: a pipeline and thus a program has one
/// range.
pub(crate) fn other_push_constants<'db>(db: &'db dyn Db, program: Program) -> Vec<Diagnostic<'db>> {
    let all = pushed(db, program);
    let Some((first, others)) = all.split_first() else { return Vec::new() };
    others.iter().filter_map(|var| second_push_constants(db, *first, *var)).collect()
}

/// Reports a second block of push constants.
pub(crate) fn second_push_constants<'db>(
    db: &'db dyn Db,
    first: VarId<'db>,
    other: VarId<'db>,
) -> Option<Diagnostic<'db>> {
    let message = "a program can have only one block of push constants";
    let second = Diagnostic::new(Code::BindingConflict, global(db, other, None)?.place, message);
    let second = second.also(global(db, first, None)?.place, "the first one");
    Some(second.note("make both members of one structure"))
}

/// Returns the types of a program's resources by the symbols of its whole module; for arrays, the element type.
pub(crate) fn type_names(db: &dyn Db, program: Program) -> BTreeMap<Symbol, String> {
    let (linked, mut out) = (link(db, program), BTreeMap::new());
    for unit in crate::db::units(db, program) {
        let mut add = |symbol: Symbol, name: String| out.insert(linked.symbol(unit, &symbol).clone(), name);
        for item in items(db, unit) {
            for index in 0..item_tree(db, *item).decls.vars.len() as u32 {
                let var = VarId { item: *item, index };
                let Some(global) = global(db, var, None) else { continue };
                if let GlobalKind::Resource(_) = global.kind {
                    add(globals::symbol(db, var, None), full_name(db, globals::element(db, global.ty)));
                }
                for part in &global.parts {
                    let name = full_name(db, globals::element(db, part.ty));
                    add(part_symbol(db, var, None, part), name);
                }
            }
            if let Some(buffer) = cbuffer(db, *item) {
                let keyword = if buffer.is_texture { "tbuffer" } else { "cbuffer" };
                add(buffer.symbol.as_str().into(), format!("{keyword} {}", buffer.symbol));
            }
        }
    }
    out
}

fn descriptor_kind(object: Builtin) -> &'static str {
    match object {
        Builtin::ConstantBuffer => "uniform buffer",
        Builtin::Texture { writable: false, .. } => "sampled image",
        Builtin::Texture { writable: true, .. } => "storage image",
        Builtin::TypedBuffer { writable: false } => "uniform texel buffer",
        Builtin::TypedBuffer { writable: true } => "storage texel buffer",
        Builtin::Sampler { .. } => "sampler",
        Builtin::AccelerationStructure => "acceleration structure",
        _ => "storage buffer",
    }
}
