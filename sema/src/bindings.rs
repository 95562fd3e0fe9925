//! Bindings: which descriptor set and binding each resource of a program has, and what holds each global in the IR.
//!
//! `[[vk::binding]]` decides first. A register `u3, space1` asks for set 1, binding 3; when a resource of another class
//! has it (`t3`, `u3` and `b3` are three registers but one binding), the next free one is taken. The rest follow in
//! the order of the text from set 0, binding 0.

use crate::builtin::Builtin;
use crate::codes::Code;
use crate::const_eval::ConstTree;
use crate::db::{Db, Program};
use crate::def::{Place, VarId};
use crate::diagnostic::Diagnostic;
use crate::globals::{self, CBuffer, DeclaredBinding, GlobalKind, cbuffer, global};
use crate::items::{item_tree, items};
use crate::layout::{NoLayout, ir_type};
use crate::record::type_arg;
use crate::ty::{RecordInst, Scalar, Ty, TyKind};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use wgc_ir::{Binding, Constant, Field, ImageType, Space, StructType, Symbol, TexelFormat, Type};

/// All bindings of a program by symbol.
#[derive(Clone, Debug, Default, PartialEq, Eq, salsa::SalsaValue)]
pub struct Bindings<'db> {
    pub of: BTreeMap<String, (u32, u32)>,
    pub diagnostics: Vec<Diagnostic<'db>>,
}

#[salsa::tracked(returns(ref))]
pub fn bindings<'db>(db: &'db dyn Db, program: Program) -> Bindings<'db> {
    let mut wanted: Vec<(String, DeclaredBinding, Place<'db>)> = Vec::new();
    for item in items(db, program) {
        if let Some(buffer) = cbuffer(db, *item) {
            wanted.push((buffer.symbol.clone(), buffer.binding, buffer.place));
        }
        for index in 0..item_tree(db, *item).decls.vars.len() as u32 {
            let var = VarId { item: *item, index };
            if let Some(global) = global(db, var, None)
                && matches!(global.kind, GlobalKind::Resource(_))
            {
                wanted.push((globals::symbol(db, var, None).to_string(), global.binding, global.place));
            }
        }
    }
    assign(&wanted)
}

fn assign<'db>(wanted: &[(String, DeclaredBinding, Place<'db>)]) -> Bindings<'db> {
    let mut out = Bindings::default();
    // (set, binding)
    let mut taken: BTreeSet<(u32, u32)> = BTreeSet::new();
    for (symbol, binding, _) in wanted {
        if let Some((binding, set)) = binding.vulkan {
            // Two at one place is Vulkan's way to alias; the source said so.
            taken.insert((set, binding));
            out.of.insert(symbol.clone(), (set, binding));
        }
    }
    let mut registers: BTreeMap<(char, u32, u32), Place<'db>> = BTreeMap::new();
    let by_source = |w: &&(String, DeclaredBinding, Place<'db>)| w.1.vulkan.is_none();
    for (symbol, binding, place) in wanted.iter().filter(by_source) {
        let Some(register @ (class, number, space)) = binding.register else { continue };
        if let Some(old) = registers.insert(register, *place) {
            let message = format!("`{symbol}` has the register {class}{number} of space {space}, which is taken");
            out.diagnostics.push(Diagnostic::new(Code::BindingConflict, *place, message).also(old, "by this one"));
        }
        let free = (number..).find(|n| taken.insert((space, *n))).unwrap_or(number);
        out.of.insert(symbol.clone(), (space, free));
    }
    let mut next = 0;
    for (symbol, _, _) in wanted.iter().filter(by_source).filter(|w| w.1.register.is_none()) {
        while !taken.insert((0, next)) {
            next += 1;
        }
        out.of.insert(symbol.clone(), (0, next));
    }
    out
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
        Some(GlobalKind::CBufferMember(n)) => Some(n),
        _ => None,
    };
    Ok(GlobalAccess { symbol: holder(db, var, owner), ty: access_type(&kind), field })
}

/// The symbol that holds a variable: its own, or its cbuffer's.
fn holder<'db>(db: &'db dyn Db, var: VarId<'db>, owner: Option<RecordInst<'db>>) -> Symbol {
    if let Some(GlobalKind::CBufferMember(_)) = global(db, var, owner).map(|g| g.kind)
        && let Some(buffer) = cbuffer(db, var.item)
    {
        return buffer.symbol.as_str().into();
    }
    globals::symbol(db, var, owner)
}

fn access_type(kind: &wgc_ir::GlobalKind) -> Type {
    use wgc_ir::GlobalKind as K;
    match kind {
        K::Private { ty, .. } | K::Constant { ty, .. } => Type::reference(Space::Private, ty.clone()),
        K::Workgroup { ty } => Type::reference(Space::Workgroup, ty.clone()),
        K::Buffer { element, stride, coherent, .. } => {
            let array = Type::RuntimeArray { element: Arc::new(element.clone()), stride: *stride };
            Type::reference(Space::Storage { coherent: *coherent }, array)
        }
        K::Uniform { block, .. } => Type::reference(Space::Uniform, block.clone()),
        K::PushConstant { block } => Type::reference(Space::PushConstant, block.clone()),
        K::Image { ty, .. } => Type::Image(*ty),
        K::Sampler { .. } => Type::Sampler,
    }
}

/// The definition of the global that holds a variable, as the module has it.
pub fn ir_global<'db>(
    db: &'db dyn Db,
    var: VarId<'db>,
    owner: Option<RecordInst<'db>>,
) -> Result<wgc_ir::Global, NoLayout> {
    let name = holder(db, var, owner);
    let mut kind = definition_kind(db, var, owner)?;
    let binding = match &mut kind {
        wgc_ir::GlobalKind::Buffer { binding, .. }
        | wgc_ir::GlobalKind::Uniform { binding, .. }
        | wgc_ir::GlobalKind::Image { binding, .. }
        | wgc_ir::GlobalKind::Sampler { binding } => Some(binding),
        _ => None,
    };
    if let Some(binding) = binding
        && let Some((set, number)) = bindings(db, var.item.program(db)).of.get(name.as_str())
    {
        (binding.set, binding.binding) = (*set, *number);
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
    let open = |register| Binding { set: 0, binding: 0, register };
    Ok(match global.kind {
        GlobalKind::Unsupported | GlobalKind::Subobject(_) => return Err(silent()),
        GlobalKind::Groupshared => K::Workgroup { ty: ir_type(db, global.ty)? },
        // An initialiser that is computed at run time would be lost silently.
        _ if global.has_init
            && matches!(global.kind, GlobalKind::Static | GlobalKind::Constant | GlobalKind::Specialised(_))
            && globals::initial_value(db, var, owner).is_none() =>
        {
            return Err(NoLayout::new("its initialiser is not a constant that the compiler can evaluate"));
        }
        // A static variable without an initialiser is zero.
        GlobalKind::Static => K::Private { ty: ir_type(db, global.ty)?, init: value().or(Some(Constant::Zero)) },
        GlobalKind::Constant | GlobalKind::Specialised(_) => {
            let ty = ir_type(db, global.ty)?;
            K::Constant { ty, value: value().unwrap_or(Constant::Zero) }
        }
        GlobalKind::CBufferMember(_) => {
            let buffer = cbuffer(db, var.item).as_ref().ok_or_else(silent)?;
            K::Uniform { block: block_type(db, buffer)?, binding: open(buffer.binding.register) }
        }
        GlobalKind::PushConstant => {
            let ty = match (crate::record::builtin(db, global.ty), global.ty.as_record(db)) {
                (Some(Builtin::ConstantBuffer), Some(inst)) => type_arg(db, inst).ok_or_else(silent)?,
                _ => global.ty,
            };
            K::PushConstant { block: ir_type(db, ty)? }
        }
        GlobalKind::Resource(object) => {
            let binding = open(global.binding.register);
            resource(db, object, global.ty, global.coherent, global.format, binding)?
        }
    })
}

fn resource<'db>(
    db: &'db dyn Db,
    object: Builtin,
    ty: Ty<'db>,
    coherent: bool,
    format: Option<TexelFormat>,
    binding: Binding,
) -> Result<wgc_ir::GlobalKind, NoLayout> {
    use wgc_ir::GlobalKind as K;
    let unsupported = || NoLayout::new(format!("wgc does not compile `{}` yet", ty.display(db)));
    let arg = ty.as_record(db).and_then(|inst| type_arg(db, inst));
    let texel = || match arg.map(|t| t.kind(db)) {
        Some(TyKind::Scalar(s)) if is_texel(*s) => Some((*s, 1)),
        Some(TyKind::Vector(s, n)) if is_texel(*s) => Some((*s, *n)),
        _ => None,
    };
    Ok(match object {
        Builtin::StructuredBuffer { writable } => {
            let element = ir_type(db, arg.ok_or_else(unsupported)?)?;
            let stride = wgc_ir::layout::scalar_stride(&element).map_err(|e| NoLayout::new(e.to_string()))?;
            K::Buffer { element, stride, writable, coherent, binding }
        }
        Builtin::ByteAddressBuffer { writable } => {
            K::Buffer { element: Type::Scalar(Scalar::U32), stride: 4, writable, coherent, binding }
        }
        Builtin::ConstantBuffer => {
            let block = pack(&ir_type(db, arg.ok_or_else(unsupported)?)?)?;
            K::Uniform { block, binding }
        }
        Builtin::Texture { dim, arrayed, multisampled, writable: storage } => {
            let (texel, components) = texel().ok_or_else(unsupported)?;
            K::Image { ty: ImageType { dim, arrayed, multisampled, texel, components, storage }, format, binding }
        }
        Builtin::TypedBuffer { writable: storage } => {
            let (texel, components) = texel().ok_or_else(unsupported)?;
            let (dim, arrayed, multisampled) = (wgc_ir::ImageDim::Buffer, false, false);
            K::Image { ty: ImageType { dim, arrayed, multisampled, texel, components, storage }, format, binding }
        }
        Builtin::Sampler { .. } => K::Sampler { binding },
        _ => return Err(unsupported()),
    })
}

/// Scalars that a format has components of: SPIR-V has no images of bool and double.
fn is_texel(scalar: Scalar) -> bool {
    !matches!(scalar, Scalar::Bool | Scalar::F64)
}

/// The type of a parameter that stands for a buffer, image or sampler: as [`GlobalAccess::ty`] of what is passed.
pub fn resource_type<'db>(db: &'db dyn Db, ty: Ty<'db>, coherent: bool) -> Result<Type, NoLayout> {
    let object = crate::record::builtin(db, ty).ok_or_else(|| NoLayout::new(""))?;
    let unbound = Binding { set: 0, binding: 0, register: None };
    Ok(access_type(&resource(db, object, ty, coherent, None, unbound)?))
}

fn ir_constant(tree: &ConstTree) -> Constant {
    match tree {
        ConstTree::Scalar(value) => Constant::Scalar(value.to_ir()),
        ConstTree::Composite(parts) => Constant::Composite(parts.iter().map(ir_constant).collect()),
    }
}

/// A cbuffer as one structure, packed.
fn block_type<'db>(db: &'db dyn Db, buffer: &CBuffer<'db>) -> Result<Type, NoLayout> {
    let mut fields = Vec::new();
    for (name, ty) in &buffer.members {
        fields.push((Symbol::from(name.as_str()), ir_type(db, *ty)?));
    }
    Ok(Type::Struct(Arc::new(pack_fields(buffer.symbol.as_str().into(), fields)?)))
}

/// Constant-buffer packing: nothing crosses a row of 16 bytes, arrays and structures start one.
fn pack(ty: &Type) -> Result<Type, NoLayout> {
    Ok(match ty {
        Type::Struct(s) => {
            let fields = s.fields.iter().map(|f| (f.name.clone(), f.ty.clone())).collect();
            Type::Struct(Arc::new(pack_fields(s.name.clone(), fields)?))
        }
        Type::Array { element, len, .. } => {
            let element = pack(element)?;
            let stride = round(element.size().unwrap_or(0), 16)?;
            Type::Array { element: Arc::new(element), len: *len, stride }
        }
        other => other.clone(),
    })
}

fn pack_fields(name: Symbol, fields: Vec<(Symbol, Type)>) -> Result<StructType, NoLayout> {
    let mut out = StructType { name, fields: Vec::new(), size: 0, align: 16 };
    for (name, ty) in fields {
        let ty = pack(&ty)?;
        let size = ty.size().ok_or_else(|| NoLayout::new(format!("field `{name}` has no size")))?;
        let mut offset = round(out.size, ty.align())?;
        let starts_row = matches!(ty, Type::Struct(_) | Type::Array { .. });
        if starts_row || (offset % 16) + size > 16 {
            offset = round(out.size, 16)?;
        }
        out.size = offset.checked_add(size).ok_or_else(|| NoLayout::new("the buffer is too large"))?;
        out.fields.push(Field { name, ty, offset });
    }
    // An array's last element does not fill its row: what follows may use the rest, but the whole is full rows.
    out.size = round(out.size, 16)?;
    Ok(out)
}

fn round(offset: u32, align: u32) -> Result<u32, NoLayout> {
    wgc_ir::layout::align_up(offset, align).ok_or_else(|| NoLayout::new("the buffer is too large"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constant_buffers_pack_by_rows() {
        let float = Type::F32;
        let float3 = Type::Vector(Scalar::F32, 3);
        let floats = Type::Array { element: Arc::new(Type::F32), len: 3, stride: 4 };
        let fields = [("a", float3), ("b", float.clone()), ("c", floats), ("d", float)];
        let fields = fields.into_iter().map(|(n, t)| (Symbol::from(n), t)).collect();
        let block = pack_fields("B".into(), fields).unwrap();
        // From Microsoft's packing rules: b shares a's row, c takes a row an element.
        assert_eq!(block.fields.iter().map(|f| f.offset).collect::<Vec<_>>(), [0, 12, 16, 64]);
        assert_eq!(block.size, 80);
    }
}
