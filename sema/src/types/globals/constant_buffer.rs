//! Constant buffers and their members in order. Each member is also a global variable. [`crate::types::blocks`]
//! computes the offsets of members.

use super::{DeclaredBinding, declared_binding, element, global, qualified};
use crate::db::Db;
use crate::db::def::{Def, Item, Name, SourcePlace, VarId};
use crate::db::diagnostic::Diagnostic;
use crate::db::items::{item_tree, items};
use crate::db::ty::Env;
use crate::db::ty::Ty;
use crate::tables::codes::{Code, Severity};
use crate::types::attribute_table::Target;
use crate::types::attributes::is_vulkan;
use crate::types::blocks::{Memory, block};
use crate::types::cx::Cx;
use crate::types::layout::NoLayout;
use crate::types::names::lookup_in;
use crate::types::offsets::ExplicitOffset;
use wgc_frontend::ast::{Attribute, ItemId, ItemKind};
use wgc_ir::Type;

/// A constant buffer: its members with their types, for its layout.
#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub struct CBuffer<'db> {
    /// The name in the module.
    pub symbol: String,
    /// In the order of the text.
    pub members: Vec<Member<'db>>,
    /// `tbuffer`
    pub is_texture: bool,
    pub binding: DeclaredBinding,
    pub place: SourcePlace<'db>,
    pub diagnostics: Vec<Diagnostic<'db>>,
}

impl CBuffer<'_> {
    /// Returns the kind of its memory.
    pub fn memory(&self) -> Memory {
        if self.is_texture { Memory::Storage } else { Memory::Uniform }
    }
}

/// A member of a cbuffer.
#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub struct Member<'db> {
    pub name: String,
    pub ty: Ty<'db>,
    /// The explicit offset.
    pub offset: Option<ExplicitOffset>,
    pub place: SourcePlace<'db>,
}

/// Names a buffer in the IR. No expression names it, so several buffers and a variable may share a name; buffers after
/// the first holder of the name get a number.
fn symbol<'db>(db: &'db dyn Db, item: Item<'db>, name: &str) -> String {
    let is_buffer = |other: &Item<'db>| {
        let tree = item_tree(db, *other);
        matches!(tree.ast.items[tree.root].kind, ItemKind::CBuffer(_))
    };
    let is_earlier = |other: &Item<'db>| {
        other.nth(db) < item.nth(db) && other.name(db) == item.name(db) && other.scope(db) == item.scope(db)
    };
    let earlier = match item.nth(db) {
        0 => 0,
        _ => items(db, item.program(db)).iter().filter(|other| is_earlier(other) && is_buffer(other)).count(),
    };
    let names = [item.scope(db), name].map(|text| Name::new(db, text.to_string()));
    let same = lookup_in(db, item.program(db), names[0], names[1]);
    let is_variable = same.iter().any(|def| matches!(def, Def::Var(var) if var.item != item));
    let own = qualified(db, item, name);
    match earlier + usize::from(is_variable) {
        0 => own,
        n => format!("{own}#{n}"),
    }
}

/// Returns the cbuffer that an item declares as one structure.
#[salsa::tracked(returns(clone))]
pub fn cbuffer_block<'db>(db: &'db dyn Db, item: Item<'db>) -> Result<Type, NoLayout> {
    let buffer = cbuffer(db, item).as_ref().ok_or_else(|| NoLayout::new(""))?;
    let layout = item.program(db).options(db).bindings.layout;
    block(db, &buffer.symbol, &buffer.members, buffer.memory(), layout)
}

/// Returns the cbuffer that an item declares.
#[salsa::tracked(returns(ref))]
pub fn cbuffer<'db>(db: &'db dyn Db, item: Item<'db>) -> Option<CBuffer<'db>> {
    let tree = item_tree(db, item);
    let root: ItemId = tree.root;
    let ItemKind::CBuffer(node) = &tree.ast.items[root].kind else { return None };
    let vars = tree.decls.vars.iter().enumerate().filter(|(_, v)| v.cbuffer == Some(root));
    let mut diagnostics = Vec::new();
    let (mut members, mut sound) = (Vec::new(), Vec::new());
    for (i, _) in vars {
        let var = VarId { item, index: i as u32 };
        let Some(global) = global(db, var, None) else { continue };
        // Resources are bound separately, even if the declaration is wrong.
        if crate::types::layout::holds_resources(db, element(db, global.ty)) {
            continue;
        }
        let offset = global.offset;
        let member = Member { name: global.name.clone(), ty: global.ty, offset, place: global.place };
        let is_wrong = global.diagnostics.iter().any(|d| d.severity == Severity::Error);
        if !is_wrong {
            sound.push(member.clone());
        }
        members.push(member);
        if !global.ty.is_error(db)
            && !is_wrong
            && let Err(no) = crate::types::layout::ir_type(db, global.ty)
            && !no.why.is_empty()
        {
            let message = format!("a constant buffer cannot contain `{}`: {}", global.name, no.why);
            diagnostics.push(Diagnostic::new(Code::UnsupportedType, global.place, message));
        }
    }
    let memory = if node.texture { Memory::Storage } else { Memory::Uniform };
    let layout = item.program(db).options(db).bindings.layout;
    if let Ok(Type::Struct(laid)) = block(db, "", &sound, memory, layout) {
        crate::types::offsets::check(&sound, &laid, &mut diagnostics);
    }
    let env = Env::new();
    let mut cx = Cx::head(db, item, &tree.ast, &env);
    let attributes: Vec<&Attribute> = tree.ast.items[root].attributes.iter().collect();
    crate::types::attribute_table::vulkan(&mut cx, &attributes, Target::Global);
    for attribute in attributes.iter().filter(|a| is_vulkan(a, "push_constant")) {
        let what = if node.texture { "tbuffer" } else { "cbuffer" };
        let message = format!("`vk::push_constant` belongs on variables of a structure, not on a `{what}`");
        let place = cx.place(attribute.span);
        let note = "write `struct Push { .. }; [[vk::push_constant]] Push push;`";
        cx.errors.push(Diagnostic::new(Code::AttributePlace, place, message).note(note));
    }
    for (id, inner) in tree.ast.items.iter() {
        if let ItemKind::CBuffer(inner) = &inner.kind
            && id != root
        {
            let message =
                format!("`{}` is declared inside `{}`, which wgc does not support", inner.name.text, node.name.text);
            let place = SourcePlace::token(item, inner.name.at);
            cx.errors.push(Diagnostic::new(Code::NotSupported, place, message).note("declare it after the other one"));
        }
    }
    let class = Some(if node.texture { 't' } else { 'b' });
    let binding = declared_binding(&mut cx, &attributes, &node.annotations, class, &node.name.text);
    diagnostics.append(&mut cx.errors);
    Some(CBuffer {
        symbol: symbol(db, item, &node.name.text),
        members,
        is_texture: node.texture,
        binding,
        place: SourcePlace::token(item, node.name.at),
        diagnostics,
    })
}
