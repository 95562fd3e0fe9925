//! Global variables: their kinds, their bindings in the source, and their representation in the IR.
//!
//! [`crate::link::bindings`] assigns the binding numbers that the source leaves open.

mod binding;
mod constant_buffer;
mod length;

pub use binding::DeclaredBinding;
pub(crate) use binding::{Register, declared_binding, register};
pub use constant_buffer::{CBuffer, Member, cbuffer, cbuffer_block};
pub(crate) use length::complete_array;

use crate::db::Db;
use crate::db::def::{Item, SourcePlace, VarId};
use crate::db::diagnostic::Diagnostic;
use crate::db::items::{VarNode, item_tree, var_node};
use crate::db::ty::{RecordInst, Ty, TyKind};
use crate::tables::builtin::{Builtin, Subobject};
use crate::tables::codes::{Code, Severity};
use crate::types::attribute_table::Target;
use crate::types::attributes;
use crate::types::const_eval::ConstTree;
use crate::types::constant_variables::evaluate;
use crate::types::cx::Cx;
use crate::types::offsets::ExplicitOffset;
use crate::types::record::{builtin, env_of};
use crate::types::resource_parts::{self, NotParts, Part};
use crate::types::specialise;
use rustc_hash::FxHashMap;
use wgc_ir::{Count, TexelFormat};

/// The kind of a global variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GlobalKind {
    /// A buffer, texture, sampler or `ConstantBuffer`.
    Resource(Builtin),
    /// A structure of resources, or an array of them: [`Global::parts`].
    Parts,
    Groupshared,
    /// `static`: one for each thread.
    Static,
    /// `static const`; the compiler may not know its value yet.
    Constant,
    /// The n-th member of its cbuffer.
    CBufferMember(u32),
    /// Set by the host and not a member of a cbuffer: a field of `$Globals`.
    Loose,
    /// `[[vk::push_constant]]`
    PushConstant,
    /// `[[vk::constant_id(n)]]`; has its default.
    Specialised(u32),
    /// `[[vk::ext_builtin_input(n)]]` with its number.
    SystemValue(u32),
    Subobject(Subobject),
    /// A heap: the prelude has one variable for each.
    Heap,
    /// A string, known at compile time.
    Text,
    /// A construct that wgc does not compile; a diagnostic exists.
    Unsupported,
}

#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub struct Global<'db> {
    pub name: String,
    /// The type; the length of `T x[] = {..}` is filled in.
    pub ty: Ty<'db>,
    pub kind: GlobalKind,
    pub binding: DeclaredBinding,
    /// Its resources, if it is split into parts.
    pub parts: Vec<Part<'db>>,
    /// The explicit offset of a cbuffer's member.
    pub offset: Option<ExplicitOffset>,
    /// `globallycoherent`
    pub coherent: bool,
    /// `precise`
    pub is_precise: bool,
    /// `[[vk::image_format("rgba8")]]`
    pub format: Option<TexelFormat>,
    /// `const`
    pub is_const: bool,
    pub has_init: bool,
    pub place: SourcePlace<'db>,
    pub diagnostics: Vec<Diagnostic<'db>>,
}

/// Returns a global variable, or a static member with the record that declares it.
pub fn global<'db>(db: &'db dyn Db, var: VarId<'db>, owner: Option<RecordInst<'db>>) -> Option<&'db Global<'db>> {
    global_of(db, var.item, var.index, owner).as_ref()
}

/// Returns the name in the module: scopes and record joined by `.`.
pub fn symbol<'db>(db: &'db dyn Db, var: VarId<'db>, owner: Option<RecordInst<'db>>) -> wgc_ir::Symbol {
    let name = var_node(db, var).map(|n| n.declarator.name.text.as_str()).unwrap_or_default();
    let mut out = qualified(db, var.item, "");
    if let Some(owner) = owner {
        out.push_str(&Ty::new(db, TyKind::Record(owner)).display(db));
        out.push('.');
    }
    out.push_str(name);
    out.into()
}

/// Returns `a.b.name` for an item's scope `a::b`; `f.name` for a type that the function `f` defines.
pub fn qualified<'db>(db: &'db dyn Db, item: Item<'db>, name: &str) -> String {
    if let Some(around) = item.around(db) {
        let nth = if item.nth(db) == 0 { String::new() } else { format!("#{}", item.nth(db)) };
        return format!("{}{nth}.{name}", around.function(db));
    }
    let scope = item.scope(db).replace("::", ".");
    if scope.is_empty() { name.to_string() } else { format!("{scope}.{name}") }
}

/// Returns the declared type of a global. A separate query, because sizes and parts of constants need nothing else.
pub fn global_ty<'db>(db: &'db dyn Db, var: VarId<'db>, owner: Option<RecordInst<'db>>) -> Ty<'db> {
    declared_type(db, var.item, var.index, owner).0
}

#[salsa::tracked(returns(ref), cycle_result = cyclic_type)]
fn declared_type<'db>(
    db: &'db dyn Db,
    item: Item<'db>,
    index: u32,
    owner: Option<RecordInst<'db>>,
) -> (Ty<'db>, Vec<Diagnostic<'db>>) {
    let Some(node) = var_node(db, VarId { item, index }) else { return (Ty::error(db), Vec::new()) };
    let tree = &node.tree.ast;
    let env = env_of(db, owner);
    let mut cx = Cx::head(db, item, tree, &env).with_owner(owner);
    let base = match &tree.types[node.ty].kind {
        wgc_frontend::ast::TypeKind::Inferred => inferred(&mut cx, &node),
        _ => {
            let ty = cx.ty(node.ty);
            cx.defined(node.ty, ty)
        }
    };
    let mut ty = cx.declared_ty(base, node.declarator);
    if let Some(init) = node.declarator.init {
        ty = complete_array(&mut cx, ty, init);
    }
    (ty, cx.errors)
}

fn cyclic_type<'db>(
    db: &'db dyn Db,
    _: salsa::Id,
    item: Item<'db>,
    index: u32,
    _owner: Option<RecordInst<'db>>,
) -> (Ty<'db>, Vec<Diagnostic<'db>>) {
    let place = crate::types::names::def_place(db, crate::db::def::Def::Var(VarId { item, index }));
    let error =
        place.map(|p| Diagnostic::new(Code::CyclicDefinition, p, "the type of this variable depends on itself"));
    (Ty::error(db), error.into_iter().collect())
}

/// Reports a variable whose constant value needs the variable itself.
fn cyclic_global<'db>(
    db: &'db dyn Db,
    _: salsa::Id,
    item: Item<'db>,
    index: u32,
    _owner: Option<RecordInst<'db>>,
) -> Option<Global<'db>> {
    let node = var_node(db, VarId { item, index })?;
    let place = SourcePlace::token(item, node.declarator.name.at);
    Some(Global {
        name: node.declarator.name.text.to_string(),
        ty: Ty::error(db),
        kind: GlobalKind::Unsupported,
        binding: DeclaredBinding::default(),
        parts: Vec::new(),
        offset: None,
        coherent: false,
        is_precise: false,
        format: None,
        is_const: true,
        has_init: true,
        place,
        diagnostics: vec![Diagnostic::new(
            Code::CyclicDefinition,
            place,
            "the definition of this variable depends on itself",
        )],
    })
}

#[salsa::tracked(returns(ref), cycle_result = cyclic_global)]
fn global_of<'db>(db: &'db dyn Db, item: Item<'db>, index: u32, owner: Option<RecordInst<'db>>) -> Option<Global<'db>> {
    // The initialiser of a static member declares nothing.
    let node = var_node(db, VarId { item, index }).filter(|n| n.declarator.owner.is_none())?;
    let tree = &node.tree.ast;
    let env = env_of(db, owner);
    let mut cx = Cx::head(db, item, tree, &env).with_owner(owner);
    let (ty, errors) = declared_type(db, item, index, owner).clone();
    cx.errors = errors;
    let has = |word: &str| tree.types[node.ty].modifiers.iter().any(|m| m.text == word);
    let mut out = Global {
        name: node.declarator.name.text.to_string(),
        ty,
        kind: GlobalKind::Unsupported,
        binding: DeclaredBinding::default(),
        parts: Vec::new(),
        offset: None,
        coherent: has("globallycoherent"),
        is_precise: has("precise"),
        format: None,
        is_const: has("const"),
        has_init: var_node(db, crate::types::definition::variable(db, VarId { item, index }, owner).var)
            .is_some_and(|n| n.declarator.init.is_some()),
        place: SourcePlace::token(item, node.declarator.name.at),
        diagnostics: Vec::new(),
    };
    out.kind = classify(&mut cx, &node, item, ty);
    if let GlobalKind::Specialised(_) = out.kind {
        specialise::check(&mut cx, &node, ty, has("static"));
    }
    if matches!(out.kind, GlobalKind::Constant | GlobalKind::Specialised(_)) {
        cx.adopt(&evaluate(db, item, index, owner).diagnostics);
    }
    let attributes = attributes::chain(node.tree, node.decl.item, &node.decl.around.templates);
    crate::types::attribute_table::vulkan(&mut cx, &attributes, Target::Global);
    crate::types::attribute_table::misplaced(&mut cx, &attributes, Target::Global);
    let class = match out.kind {
        GlobalKind::Resource(b) => b.register_class(),
        _ => None,
    };
    let annotations = &node.declarator.annotations;
    if out.kind == GlobalKind::Parts {
        out.binding = declared_binding(&mut cx, &attributes, &[], None, &out.name);
        out.parts = resource_parts::parts(db, ty).unwrap_or_default();
        resource_parts::place(&mut cx, &mut out.parts, annotations, out.binding, &out.name);
    } else {
        out.binding = declared_binding(&mut cx, &attributes, annotations, class, &out.name);
        let has_numbers = match out.kind {
            GlobalKind::Groupshared | GlobalKind::Static | GlobalKind::Constant | GlobalKind::Specialised(_) => true,
            GlobalKind::CBufferMember(_) | GlobalKind::Loose | GlobalKind::PushConstant => !ty.is_error(db),
            _ => false,
        };
        if has_numbers && !crate::types::layout::holds_resources(db, element(db, ty)) {
            binding::register_of_number(&mut cx, annotations, &out.name);
        }
    }
    out.format = binding::image_format(&mut cx, &attributes, out.kind);
    cx.check_coherent(node.ty, ty, node.declarator.span);
    if let GlobalKind::CBufferMember(_) = out.kind {
        out.offset = crate::types::offsets::declared(&mut cx, &attributes, &node.declarator.annotations);
    } else if let Some(attribute) = attributes.iter().find(|a| attributes::is_vulkan(a, "offset")) {
        let message = "`vk::offset` belongs to members of constant buffers and structures";
        cx.error(Code::BadOffset, attribute.span, message);
    }
    if let GlobalKind::Subobject(subobject) = out.kind {
        crate::types::root_signature::check_subobject(&mut cx, subobject, &node);
    }
    // A variable that the author wanted constant has an error already.
    let is_wrong = cx.errors.iter().any(|error| error.code == Code::BadModifier);
    if matches!(out.kind, GlobalKind::Loose | GlobalKind::CBufferMember(_)) && out.has_init && !is_wrong {
        let message = format!("the host sets `{}`, so its initialiser is ignored", out.name);
        cx.error(Code::IgnoredInitializer, node.declarator.span, message);
    }
    if owner.is_none() && !node.decl.around.templates.is_empty() {
        let message = format!("`{}` is a variable template, so it must be `static`", out.name);
        cx.error(Code::UnsupportedType, node.declarator.span, message);
    }
    if matches!(ty.kind(db), TyKind::Void) {
        cx.error(Code::UnsupportedType, node.declarator.span, "a variable cannot be `void`");
    }
    if matches!(ty.kind(db), TyKind::Array(_, None))
        && !matches!(out.kind, GlobalKind::CBufferMember(_) | GlobalKind::Unsupported)
        && !crate::types::layout::holds_resources(db, element(db, ty))
    {
        cx.error(Code::ArraySize, node.declarator.span, format!("the size of `{}` is unknown", out.name));
    }
    out.diagnostics = cx.errors;
    Some(out)
}

/// Returns the type of `let x = 1;` at global scope: the initialiser is a scalar constant.
fn inferred<'db>(cx: &mut Cx<'_, 'db>, node: &VarNode<'db>) -> Ty<'db> {
    let Some(init) = node.declarator.init else {
        cx.error(
            Code::MissingType,
            node.declarator.span,
            "cannot deduce the type of a variable without an initialiser",
        );
        return Ty::error(cx.db);
    };
    match cx.constant(init) {
        Some(value) => Ty::scalar_ty(cx.db, crate::db::ty::Scalar::of(value.scalar())),
        None => Ty::error(cx.db),
    }
}

/// Returns the element type of an array, after all dimensions.
pub fn element<'db>(db: &'db dyn Db, mut ty: Ty<'db>) -> Ty<'db> {
    while let TyKind::Array(inner, _) = ty.kind(db) {
        ty = *inner;
    }
    ty
}

/// Returns whether a type is a resource or an array of them.
pub fn is_resource<'db>(db: &'db dyn Db, ty: Ty<'db>) -> bool {
    crate::types::record::builtin(db, element(db, ty)).is_some_and(Builtin::is_resource)
}

/// Returns the number of resources in a type; `None` if it is unknown to the host.
pub fn descriptor_count<'db>(db: &'db dyn Db, ty: Ty<'db>) -> Option<Count> {
    let TyKind::Array(mut inner, first) = *ty.kind(db) else { return Some(Count::One) };
    let mut total = first.unwrap_or(1);
    while let TyKind::Array(element, len) = *inner.kind(db) {
        total = total.checked_mul(len?)?;
        inner = element;
    }
    Some(if first.is_some() { Count::Array(total) } else { Count::Unbounded })
}

/// Returns the reason why a variable outside functions cannot have this type, if it contains ray queries.
/// `is_variable` means `static` and not `const`.
pub(crate) fn no_static_query<'db>(db: &'db dyn Db, ty: Ty<'db>, is_variable: bool) -> Option<String> {
    if !crate::types::extent::extent(db, ty).has_query {
        return None;
    }
    let name = ty.display(db);
    if !is_variable {
        return Some(format!(
            "`{name}` contains a ray query, which no host can set: declare it `static` and not `const`"
        ));
    }
    // The other members start as zero, and an array that holds queries cannot be stored.
    let is_mixed = builtin(db, element(db, ty)).is_none() && matches!(ty.kind(db), TyKind::Array(..));
    is_mixed.then(|| format!("`{name}` is an array of structures with ray queries: declare it in a function"))
}

fn classify<'db>(cx: &mut Cx<'_, 'db>, node: &VarNode<'db>, item: Item<'db>, ty: Ty<'db>) -> GlobalKind {
    let db = cx.db;
    let tree = &node.tree.ast;
    let modifiers = &tree.types[node.ty].modifiers;
    let has = |word: &str| modifiers.iter().any(|m| m.text == word);
    let span = node.declarator.span;
    if let Some(id) = attribute_uint(cx, node, "constant_id") {
        return GlobalKind::Specialised(id);
    }
    if node.item.attributes.iter().any(|a| attributes::is_vulkan(a, "push_constant")) {
        if let Some(wrong) = crate::types::resource_elements::no_block(cx, ty, span) {
            cx.errors.push(wrong);
            return GlobalKind::Unsupported;
        }
        return GlobalKind::PushConstant;
    }
    if let Some(object) = builtin(db, element(db, ty)) {
        if let Builtin::Heap(_) = object {
            return GlobalKind::Heap;
        }
        if object.is_node_object() {
            let message = format!("`{}` cannot be a global variable: use a parameter or a local", ty.display(db));
            cx.error(Code::UnsupportedType, span, message);
            return GlobalKind::Unsupported;
        }
        if object == Builtin::RayQuery {
            let Some(message) = no_static_query(db, ty, has("static") && !has("const")) else {
                return GlobalKind::Static;
            };
            cx.error(Code::UnsupportedType, span, message);
            return GlobalKind::Unsupported;
        }
        if let Builtin::Subobject(subobject) = object {
            return GlobalKind::Subobject(subobject);
        }
        if descriptor_count(db, ty).is_none() {
            cx.error(Code::ArraySize, span, "only the first dimension of an array of resources may be unsized");
            return GlobalKind::Unsupported;
        }
        if has("groupshared") {
            let message = "the host binds resources, so they cannot be `groupshared`";
            cx.error(Code::BadModifier, span, message);
            return GlobalKind::Unsupported;
        }
        // A name for resources that other variables declare.
        match (has("static"), has("const")) {
            (true, true) => return GlobalKind::Constant,
            (true, false) => return GlobalKind::Static,
            _ => {
                let is_right = crate::types::resource_elements::check(cx, object, element(db, ty), span);
                return if is_right { GlobalKind::Resource(object) } else { GlobalKind::Unsupported };
            }
        }
    }
    if crate::types::layout::holds_handles(db, ty) {
        let message = format!("`{}` contains handles to records: declare it in a node", ty.display(db));
        cx.error(Code::UnsupportedType, span, message);
        return GlobalKind::Unsupported;
    }
    if !has("static") && !has("groupshared") && crate::types::layout::holds_resources(db, element(db, ty)) {
        let (why, note) = match resource_parts::parts(db, ty) {
            Ok(_) => return GlobalKind::Parts,
            Err(NotParts::Open) => ("an array of resources without a length", "give the array a length".to_string()),
            Err(NotParts::Mixed) => {
                let note = "use separate variables for the resources and for the other members";
                ("resources and other members", note.to_string())
            }
            Err(NotParts::TooMany) => {
                let note = format!("the limit is {} resources in one variable", resource_parts::MAX_RESOURCES);
                ("too many resources", note)
            }
        };
        let message = format!("the host cannot set `{}`: its type contains {why}", node.declarator.name.text);
        let place = cx.place(span);
        cx.errors.push(Diagnostic::new(Code::UnsupportedType, place, message).note(note));
        return GlobalKind::Unsupported;
    }
    if node.decl.cbuffer.is_none() && matches!(ty.kind(db), TyKind::String) {
        return GlobalKind::Text;
    }
    if let Some(buffer) = node.decl.cbuffer {
        // One in another is not supported, which is reported there.
        if buffer != node.tree.root {
            return GlobalKind::Unsupported;
        }
        if has("groupshared") {
            let message = "`groupshared` has no effect on a member of a constant buffer";
            let place = cx.place(span);
            cx.errors.push(Diagnostic::new(Code::BadModifier, place, message).severity(Severity::Warning));
        }
        return GlobalKind::CBufferMember(member_index(db, node, item));
    }
    if has("groupshared") {
        // `static` adds nothing to it.
        if node.declarator.init.is_some() {
            let message =
                format!("the initialiser of the groupshared variable `{}` is ignored", node.declarator.name.text);
            let place = cx.place(span);
            cx.errors.push(
                Diagnostic::new(Code::BadModifier, place, message)
                    .severity(Severity::Warning)
                    .note("assign it in one thread, then call a barrier"),
            );
        }
        return GlobalKind::Groupshared;
    }
    if let Some(number) = attribute_uint(cx, node, "ext_builtin_input") {
        if !has("static") || !has("const") || node.declarator.init.is_some() {
            let message = "a `vk::ext_builtin_input` variable must be `static const` and have no initialiser";
            cx.error(Code::BadModifier, span, message);
        }
        return GlobalKind::SystemValue(number);
    }
    if let Some(message) = no_static_query(db, ty, has("static") && !has("const")) {
        cx.error(Code::UnsupportedType, span, message);
        return GlobalKind::Unsupported;
    }
    match (has("static"), has("const")) {
        (true, true) => GlobalKind::Constant,
        (true, false) => GlobalKind::Static,
        _ if ty.is_error(db) => GlobalKind::Unsupported,
        _ => GlobalKind::Loose,
    }
}

/// Returns the argument of `[[vk::NAME(n)]]`.
fn attribute_uint<'db>(cx: &mut Cx<'_, 'db>, node: &VarNode<'db>, name: &str) -> Option<u32> {
    let attribute = node.item.attributes.iter().find(|a| attributes::is_vulkan(a, name))?;
    let argument = attribute.args.as_ref().and_then(|a| a.first());
    let value = argument.and_then(|e| cx.int(*e)).and_then(|n| u32::try_from(n).ok());
    if value.is_none() && argument.is_none() {
        cx.error(Code::AttributeArguments, attribute.span, format!("`vk::{name}` expects a number"));
    }
    value
}

/// Returns the index of a variable among the members of its cbuffer. Resources are not members.
fn member_index<'db>(db: &'db dyn Db, node: &VarNode<'db>, item: Item<'db>) -> u32 {
    let index = node.tree.decls.vars.iter().position(|v| std::ptr::eq(v, node.decl));
    index.and_then(|index| member_indexes(db, item).get(index).copied()).unwrap_or(0)
}

/// Returns, for each variable of an item, the number of earlier members in its cbuffer.
#[salsa::tracked(returns(ref), cycle_result = cyclic_indexes)]
fn member_indexes<'db>(db: &'db dyn Db, item: Item<'db>) -> Vec<u32> {
    let mut before = FxHashMap::default();
    let vars = item_tree(db, item).decls.vars.iter().zip(0..);
    let position = |(var, index): (&crate::tables::decls::VarDecl, u32)| {
        let count = before.entry(var.cbuffer).or_insert(0);
        let ty = global_ty(db, VarId { item, index }, None);
        let is_member = !crate::types::layout::holds_resources(db, element(db, ty));
        let position = *count;
        *count += u32::from(is_member);
        position
    };
    vars.map(position).collect()
}

/// Handles a member whose length depends on a member, which is not a constant: an error is reported there.
fn cyclic_indexes<'db>(_: &'db dyn Db, _: salsa::Id, _: Item<'db>) -> Vec<u32> {
    Vec::new()
}

/// Returns the initial value of a `static` or `static const` variable if the compiler knows it. It does not if the
/// value depends on a specialisation constant.
pub fn initial_value<'db>(db: &'db dyn Db, var: VarId<'db>, owner: Option<RecordInst<'db>>) -> Option<&'db ConstTree> {
    initial(db, var.item, var.index, owner).as_ref()
}

#[salsa::tracked(returns(ref))]
fn initial<'db>(db: &'db dyn Db, item: Item<'db>, index: u32, owner: Option<RecordInst<'db>>) -> Option<ConstTree> {
    let ty = global(db, VarId { item, index }, owner)?.ty;
    let text = crate::types::definition::variable(db, VarId { item, index }, owner);
    let node = var_node(db, text.var)?;
    let mut cx = Cx::head(db, text.var.item, &node.tree.ast, &text.env).with_owner(owner);
    let value = cx.eval_as(ty, node.declarator.init?).ok()?;
    cx.specialised.is_empty().then_some(value)
}
