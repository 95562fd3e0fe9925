//! The declarations inside one item, numbered in the order of its syntax tree. `FnId`, `RecordId` and the other IDs
//! hold these numbers. No name resolution happens here.

use wgc_frontend::ast::{Ast, ExprId, Ident, Item, ItemId, ItemKind, Record, TypeId, TypeKind};

/// Tables of one item. An index into a table is the `index` of an ID.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Decls {
    pub records: Vec<RecordDecl>,
    pub enums: Vec<EnumDecl>,
    pub functions: Vec<FnDecl>,
    pub vars: Vec<VarDecl>,
    pub aliases: Vec<AliasDecl>,
    /// The item is a `using namespace`, or a static assertion, at this node.
    pub root: Option<ItemId>,
}

/// The context of a declaration.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeclContext {
    /// The record it is a member of.
    pub owner: Option<u32>,
    /// `template` items around it, outermost first, without those around its owner.
    pub templates: Vec<ItemId>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordDecl {
    /// The type expression that defines the record.
    pub ty: TypeId,
    /// The item that holds the type expression, for its attributes.
    pub item: ItemId,
    pub around: DeclContext,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnumDecl {
    pub ty: TypeId,
    pub around: DeclContext,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FnDecl {
    pub item: ItemId,
    pub around: DeclContext,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VarDecl {
    pub item: ItemId,
    /// The index among the declarators of that item.
    pub declarator: u32,
    pub around: DeclContext,
    /// The cbuffer that declares it as a member.
    pub cbuffer: Option<ItemId>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AliasDecl {
    pub item: ItemId,
    /// The index among the declarators of a `typedef`.
    pub declarator: u32,
    pub around: DeclContext,
}

impl AliasDecl {
    /// Returns the declared name and the aliased type, with its dimensions.
    pub fn parts<'a>(&self, ast: &'a Ast) -> Option<(&'a Ident, TypeId, &'a [Option<ExprId>])> {
        match &ast.items[self.item].kind {
            ItemKind::Typedef { ty, declarators } => {
                let declarator = declarators.get(self.declarator as usize)?;
                Some((&declarator.name, *ty, &declarator.dims))
            }
            ItemKind::Using { name, ty, dims, .. } => Some((name, *ty, dims)),
            _ => None,
        }
    }
}

/// Numbers all declarations in `root`.
pub fn index(ast: &Ast, root: ItemId) -> Decls {
    let mut decls = Decls { root: Some(root), ..Decls::default() };
    Walk { ast, decls: &mut decls }.item(root, DeclContext::default(), None);
    decls
}

struct Walk<'a> {
    ast: &'a Ast,
    decls: &'a mut Decls,
}

impl Walk<'_> {
    fn item(&mut self, id: ItemId, around: DeclContext, cbuffer: Option<ItemId>) {
        let item: &Item = &self.ast.items[id];
        match &item.kind {
            ItemKind::Var(var) => {
                self.ty(var.ty, id, &around);
                let is_static = self.ast.types[var.ty].modifiers.iter().any(|m| m.text == "static");
                // A static is not part of the enclosing buffer.
                let cbuffer = cbuffer.filter(|_| !is_static);
                // A field is not a variable: only statics, globals and members of a cbuffer have their own storage.
                if around.owner.is_none() || is_static {
                    for declarator in 0..var.vars.len() as u32 {
                        self.decls.vars.push(VarDecl { item: id, declarator, around: around.clone(), cbuffer });
                    }
                }
            }
            ItemKind::Type(ty) => self.ty(*ty, id, &around),
            ItemKind::Function(function) => {
                self.ty(function.ret, id, &around);
                self.decls.functions.push(FnDecl { item: id, around });
            }
            ItemKind::CBuffer(cbuffer) => {
                for member in &cbuffer.members {
                    self.item(*member, DeclContext::default(), Some(id));
                }
            }
            ItemKind::Typedef { ty, declarators } => {
                self.ty(*ty, id, &around);
                for declarator in 0..declarators.len() as u32 {
                    self.decls.aliases.push(AliasDecl { item: id, declarator, around: around.clone() });
                }
            }
            ItemKind::Using { ty, .. } => {
                self.ty(*ty, id, &around);
                self.decls.aliases.push(AliasDecl { item: id, declarator: 0, around });
            }
            ItemKind::Template { item: inner, .. } => {
                let mut around = around;
                around.templates.push(id);
                self.item(*inner, around, cbuffer);
            }
            ItemKind::Namespace { items, .. } => {
                for inner in items {
                    self.item(*inner, DeclContext::default(), None);
                }
            }
            ItemKind::Empty
            | ItemKind::UsingNamespace(_)
            | ItemKind::NamespaceAlias { .. }
            | ItemKind::UsingName(_)
            | ItemKind::Instantiation(_)
            | ItemKind::StaticAssert(_)
            | ItemKind::Import(_)
            | ItemKind::Error => {}
        }
    }

    fn ty(&mut self, id: TypeId, item: ItemId, around: &DeclContext) {
        match &self.ast.types[id].kind {
            TypeKind::Record(record) => self.record(id, record, item, around),
            TypeKind::Enum(_) => self.decls.enums.push(EnumDecl { ty: id, around: around.clone() }),
            _ => {}
        }
    }

    fn record(&mut self, ty: TypeId, record: &Record, item: ItemId, around: &DeclContext) {
        let index = self.decls.records.len() as u32;
        self.decls.records.push(RecordDecl { ty, item, around: around.clone() });
        for member in record.members.iter().flatten() {
            self.item(*member, DeclContext { owner: Some(index), templates: Vec::new() }, None);
        }
    }
}

impl Decls {
    /// Returns all `template` items around a declaration, outermost first, including those of its owners.
    pub fn templates(&self, around: &DeclContext) -> Vec<ItemId> {
        let mut all = match around.owner.and_then(|o| self.records.get(o as usize)) {
            Some(owner) => self.templates(&owner.around),
            None => Vec::new(),
        };
        all.extend(&around.templates);
        all
    }

    /// Returns the record that a type expression defines.
    pub fn record_at(&self, ty: TypeId) -> Option<u32> {
        self.records.iter().position(|r| r.ty == ty).map(|i| i as u32)
    }

    pub fn enum_at(&self, ty: TypeId) -> Option<u32> {
        self.enums.iter().position(|e| e.ty == ty).map(|i| i as u32)
    }
}
