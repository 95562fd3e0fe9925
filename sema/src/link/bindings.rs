//! Bindings: which descriptor set and binding each resource of a program has ([`crate::link::assignment`] decides), and what holds
//! each global in the IR.

use crate::check::initial::is_computed;
use crate::db::def::{Item, Place, VarId};
use crate::db::diagnostic::Diagnostic;
use crate::db::items::{item_tree, items};
use crate::db::ty::{RecordInst, Repr as Scalar, Ty, TyKind};
use crate::db::{Db, Program};
use crate::link::link;
use crate::lower::symbol::full_name;
use crate::tables::binding_options::BlockLayout;
use crate::tables::builtin::Builtin;
use crate::tables::codes::Code;
use crate::types::blocks::{self, Memory};
use crate::types::const_eval::ConstTree;
use crate::types::extent::MAX_LISTED;
use crate::types::globals::{self, DeclaredBinding, GlobalKind, cbuffer, global};
use crate::types::layout::{NoLayout, ir_type, value_type};
use crate::types::record::type_arg;
use crate::types::resource_parts::Part;
use std::collections::{BTreeMap, BTreeSet};
use wgc_ir::{Binding, Constant, Count, Heap, ImageType, Symbol, TexelFormat, Type};

/// All bindings of a program by symbol.
#[derive(Clone, Debug, Default, PartialEq, Eq, salsa::SalsaValue)]
pub struct Bindings<'db> {
    /// Set and binding.
    pub of: BTreeMap<String, (u32, u32)>,
    pub diagnostics: Vec<Diagnostic<'db>>,
}

impl Bindings<'_> {
    /// What is taken when all resources of a module have their bindings: declared resources keep theirs when nobody uses
    /// them, counters do not.
    pub fn taken(&self, module: &wgc_ir::Module) -> BTreeSet<(u32, u32)> {
        let keeps = |name: &str| !is_counter(name) || module.globals.contains_key(name);
        self.of.iter().filter(|(name, _)| keeps(name)).map(|(_, slot)| *slot).collect()
    }
}

/// A resource that wants a binding.
#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub(crate) struct Wanted<'db> {
    pub symbol: String,
    pub declared: DeclaredBinding,
    /// The letter of its registers.
    pub class: char,
    /// What Vulkan calls the descriptor: two of one kind may share a binding that the source names for both.
    pub kind: &'static str,
    /// What `Op::Global` of it is, for a declaration that is right.
    pub ty: Option<Type>,
    pub has_counter: bool,
    /// An Append or Consume buffer, whose counter is numbered with it. Those of other buffers come last.
    pub is_counted: bool,
    /// A part of a structure of resources.
    pub is_part: bool,
    /// How many resources it is.
    pub count: u32,
    pub place: Place<'db>,
}

impl Wanted<'_> {
    /// The register that says where it is, unless `[[vk::binding]]` does.
    pub fn register(&self) -> Option<(char, u32, u32)> {
        self.declared.register.filter(|_| self.declared.vulkan.is_none())
    }
}

/// The bindings of one translation unit by itself.
pub fn bindings<'db>(db: &'db dyn Db, program: Program) -> &'db Bindings<'db> {
    &link(db, program).bindings
}

/// Gives the globals of a module their sets and bindings.
pub(crate) fn bind(of: &BTreeMap<String, (u32, u32)>, module: &mut wgc_ir::Module) {
    for global in module.globals.values_mut() {
        let slot = of.get(global.name.as_str());
        if let (Some(binding), Some((set, number))) = (global.binding_mut(), slot) {
            (binding.set, binding.binding) = (*set, *number);
        }
    }
}

/// The resources of a translation unit, in the order of the text.
#[salsa::tracked(returns(ref))]
pub(crate) fn wanted<'db>(db: &'db dyn Db, program: Program) -> Vec<Wanted<'db>> {
    let (mut wanted, mut loose) = (Vec::new(), false);
    let layout = program.options(db).bindings.layout;
    for item in items(db, program) {
        let vars = item_tree(db, *item).decls.vars.len() as u32;
        for index in 0..vars {
            let var = VarId { item: *item, index };
            let Some(global) = global(db, var, None) else { continue };
            if global.kind == GlobalKind::Loose && !loose {
                // At the first of its members, unless the command line says where.
                loose = true;
                let vulkan = program.options(db).bindings.globals.map(|slot| (slot.binding, slot.set));
                wanted.push(Wanted {
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
                wanted.push(Wanted {
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
                wanted.push(Wanted {
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
        // A buffer of resources alone is none, and those in others come before it.
        if let Some(buffer) = cbuffer(db, *item).as_ref().filter(|buffer| vars == 0 || !buffer.members.is_empty()) {
            wanted.push(Wanted {
                symbol: buffer.symbol.clone(),
                declared: buffer.binding,
                class: if buffer.is_texture { 't' } else { 'b' },
                kind: if buffer.is_texture { "storage buffer" } else { "uniform buffer" },
                ty: blocks::block(db, &buffer.symbol, &buffer.members, buffer.memory(), layout).ok(),
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

/// The symbols of all resources that a program declares, used or not, their counters and push constants included.
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

/// The blocks of push constants of a translation unit.
pub(crate) fn pushed<'db>(db: &'db dyn Db, program: Program) -> Vec<VarId<'db>> {
    let vars = |item: &Item<'db>| {
        let item = *item;
        (0..item_tree(db, item).decls.vars.len() as u32).map(move |index| VarId { item, index })
    };
    let is_push = |var: &VarId<'_>| global(db, *var, None).is_some_and(|g| g.kind == GlobalKind::PushConstant);
    items(db, program).iter().flat_map(vars).filter(is_push).collect()
}

/// A pipeline has one range of push constants, and so has a program: those behind its first block are wrong, used or not, as
/// DXC has it.
pub(crate) fn other_push_constants<'db>(db: &'db dyn Db, program: Program) -> Vec<Diagnostic<'db>> {
    let all = pushed(db, program);
    let Some((first, others)) = all.split_first() else { return Vec::new() };
    others.iter().filter_map(|var| second_push_constants(db, *first, *var)).collect()
}

/// That there is a block of push constants beside the first.
pub(crate) fn second_push_constants<'db>(
    db: &'db dyn Db,
    first: VarId<'db>,
    other: VarId<'db>,
) -> Option<Diagnostic<'db>> {
    let message = "a program has one block of push constants";
    let second = Diagnostic::new(Code::BindingConflict, global(db, other, None)?.place, message);
    let second = second.also(global(db, first, None)?.place, "the first is here");
    Some(second.note("make both members of one structure"))
}

/// The types of the resources that a program declares, one resource's of arrays, by the symbols of its whole module.
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

/// How a function reaches a global.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GlobalAccess {
    /// `Op::Global` of it has this type: a place, or an image or sampler.
    pub symbol: Symbol,
    pub ty: Type,
    /// The field of that place which is the variable: members of a cbuffer.
    pub field: Option<u32>,
}

/// The symbol and type that hold a variable; what it is bound to is not looked at.
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

/// The symbol that holds a variable: its own, or its cbuffer's.
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

/// The definition of the global that holds a variable, as the module has it, without set and binding.
pub fn ir_global<'db>(
    db: &'db dyn Db,
    var: VarId<'db>,
    owner: Option<RecordInst<'db>>,
) -> Result<wgc_ir::Global, NoLayout> {
    let name = holder(db, var, owner);
    let kind = definition_kind(db, var, owner)?;
    Ok(wgc_ir::Global { name, kind })
}

/// The name of a part of a structure of resources.
fn part_symbol<'db>(db: &'db dyn Db, var: VarId<'db>, owner: Option<RecordInst<'db>>, part: &Part<'db>) -> Symbol {
    compact_str::format_compact!("{}{}", globals::symbol(db, var, owner), part.name)
}

/// The definition of a part, without set and binding.
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

/// The definition without set and binding, which depend on the whole program.
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
        // Its value is computed when an entry point starts.
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
                "its initialiser gives more than {MAX_LISTED} elements to an array: SPIR-V has no longer constants"
            );
            return Err(NoLayout::new(message));
        }
        // A static variable without an initialiser is zero.
        GlobalKind::Static => {
            K::Private { ty: value_type(db, global.ty, layout)?, init: value().or(Some(Constant::Zero)) }
        }
        GlobalKind::Specialised(id) => match crate::types::const_eval::const_value(db, var.item, var.index, owner) {
            Ok(ConstTree::Scalar(value)) => K::SpecConstant { id, default: value.to_ir() },
            _ => return Err(silent()),
        },
        GlobalKind::Constant => {
            let ty = ir_type(db, global.ty)?;
            K::Constant { ty, value: value().unwrap_or(Constant::Zero) }
        }
        GlobalKind::CBufferMember(_) => {
            let buffer = cbuffer(db, var.item).as_ref().ok_or_else(silent)?;
            let block = blocks::block(db, &buffer.symbol, &buffer.members, buffer.memory(), layout)?;
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

pub(crate) fn resource<'db>(
    db: &'db dyn Db,
    object: Builtin,
    ty: Ty<'db>,
    coherent: bool,
    format: Option<TexelFormat>,
    layout: BlockLayout,
    binding: Binding,
) -> Result<wgc_ir::GlobalKind, NoLayout> {
    use wgc_ir::GlobalKind as K;
    let unsupported = || NoLayout::new(format!("wgc does not compile `{}` yet", ty.display(db)));
    let arg = ty.as_record(db).and_then(|inst| type_arg(db, inst));
    let texel = || match arg.map(|t| t.kind(db)) {
        Some(TyKind::Scalar(s)) if is_texel(s.repr()) => Some((s.repr(), 1)),
        Some(TyKind::Vector(s, n)) if is_texel(s.repr()) => Some((s.repr(), *n)),
        _ => None,
    };
    Ok(match object {
        Builtin::StructuredBuffer { .. } | Builtin::CountedBuffer => {
            let writable = object != Builtin::StructuredBuffer { writable: false };
            let (element, stride) = blocks::element(db, arg.ok_or_else(unsupported)?, layout)?;
            K::Buffer { element, stride, writable, coherent, counter: None, binding }
        }
        Builtin::ByteAddressBuffer { writable } => {
            K::Buffer { element: Type::Scalar(Scalar::U32), stride: 4, writable, coherent, counter: None, binding }
        }
        Builtin::ConstantBuffer => {
            let block = blocks::laid_out(db, arg.ok_or_else(unsupported)?, Memory::Uniform, layout)?;
            K::Uniform { block, binding }
        }
        Builtin::TextureBuffer => {
            let contents = arg.ok_or_else(unsupported)?;
            texture_buffer(blocks::laid_out(db, contents, Memory::Storage, layout)?, binding)
        }
        Builtin::Texture { dim, arrayed, multisampled, writable: storage } => {
            let (texel, components) = texel().ok_or_else(unsupported)?;
            let ty = ImageType { dim, arrayed, multisampled, texel, components, storage };
            K::Image { ty, format, coherent: coherent && storage, binding }
        }
        Builtin::TypedBuffer { writable: storage } => {
            let (texel, components) = texel().ok_or_else(unsupported)?;
            let (dim, arrayed, multisampled) = (wgc_ir::ImageDim::Buffer, false, false);
            let ty = ImageType { dim, arrayed, multisampled, texel, components, storage };
            K::Image { ty, format, coherent: coherent && storage, binding }
        }
        Builtin::Sampler { .. } => K::Sampler { binding },
        Builtin::AccelerationStructure => K::AccelerationStructure { binding },
        _ => return Err(unsupported()),
    })
}

/// A buffer of one block, which nobody writes.
fn texture_buffer(block: Type, binding: Binding) -> wgc_ir::GlobalKind {
    let stride = block.size().unwrap_or_default();
    let (writable, coherent, counter) = (false, false, None);
    wgc_ir::GlobalKind::Buffer { element: block, stride, writable, coherent, counter, binding }
}

/// Scalars that a format has components of: SPIR-V has no images of bool and double.
fn is_texel(scalar: Scalar) -> bool {
    !matches!(scalar, Scalar::Bool | Scalar::F64)
}

/// The type of a parameter that stands for a resource, or an array of them: as [`GlobalAccess::ty`] of what is passed.
pub fn resource_type<'db>(db: &'db dyn Db, ty: Ty<'db>, coherent: bool, layout: BlockLayout) -> Result<Type, NoLayout> {
    let element = globals::element(db, ty);
    let object = crate::types::record::builtin(db, element).ok_or_else(|| NoLayout::new(""))?;
    let count = globals::descriptor_count(db, ty).ok_or_else(|| NoLayout::new(""))?;
    let kind = resource(db, object, element, coherent, None, layout, Binding::open(count))?;
    Ok(wgc_ir::Global { name: Symbol::default(), kind }.value_type())
}

/// The structure that a variable of this type pushes: its own, or that of a `ConstantBuffer`.
fn pushed_block<'db>(db: &'db dyn Db, ty: Ty<'db>, layout: BlockLayout) -> Result<Type, NoLayout> {
    let ty = match (crate::types::record::builtin(db, ty), ty.as_record(db)) {
        (Some(Builtin::ConstantBuffer), Some(inst)) => type_arg(db, inst).ok_or_else(|| NoLayout::new(""))?,
        _ => ty,
    };
    blocks::laid_out(db, ty, Memory::Elements, layout)
}

/// The type of a parameter that stands for constants that are pushed.
pub fn pushed_type<'db>(db: &'db dyn Db, ty: Ty<'db>, layout: BlockLayout) -> Result<Type, NoLayout> {
    pushed_block(db, ty, layout).map(|block| Type::reference(wgc_ir::Space::PushConstant, block))
}

/// Buffers that may count.
pub(crate) fn has_counter(object: Builtin) -> bool {
    matches!(object, Builtin::StructuredBuffer { writable: true } | Builtin::CountedBuffer)
}

/// The name of the global that holds a buffer's counter.
pub fn counter_symbol(buffer: &Symbol) -> Symbol {
    compact_str::format_compact!("counter.var.{buffer}")
}

/// Whether a global of this name holds a counter.
pub fn is_counter(name: &str) -> bool {
    name.starts_with("counter.var.")
}

/// The counter of a buffer, without set and binding.
pub fn counter(buffer: &wgc_ir::Global) -> Option<wgc_ir::Global> {
    let name = buffer.counter()?.clone();
    let of = buffer.binding()?;
    let heap = of.heap.map(|_| Heap::Counter);
    let binding = Binding { heap, ..Binding::open(of.count) };
    let (element, coherent) = (Type::U32, false);
    let kind = wgc_ir::GlobalKind::Buffer { element, stride: 4, writable: true, coherent, counter: None, binding };
    Some(wgc_ir::Global { name, kind })
}

/// Whether a constant or a part of it is too long for an instruction of SPIR-V.
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
