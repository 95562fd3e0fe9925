//! A program's declarations for debuggers: functions, globals and types by their source names.
//!
//! They are computed for an emission that needs them, like the lines of [`crate::link::source_map`], and never cached:
//! they contain file locations.

use crate::check::check;
use crate::check::env::{self, Signature};
use crate::check::symbol::full_name;
use crate::db::def::{Def, EnumId, FnId, Item, Name, SourcePlace, VarId};
use crate::db::items::{body_tree, enum_node, fn_node, record_node, var_node};
use crate::db::ty::{FnInst, GenericArg, RecordInst, Ty, TyKind};
use crate::db::{Db, Program};
use crate::link::source_map::{Places, linked_text};
use crate::link::{Linked, link};
use crate::lower::globals::access;
use crate::lower::unit::Unit;
use crate::tables::builtin::Builtin;
use crate::types::blocks;
use crate::types::const_eval::enum_values;
use crate::types::globals::{GlobalKind, cbuffer, global};
use crate::types::record::{builtin, record, type_arg};
use crate::types::signature::{fn_signature, record_template_params, template_params};
use std::ops::Range;
use wgc_frontend::ast::{self, Ast, Declarator, StmtId, StmtKind, TypeId, TypeKind};
use wgc_ir::declared::*;
use wgc_ir::{Location, Symbol};

/// Returns the declarations of everything in the linked module.
pub(crate) fn declarations(db: &dyn Db, program: Program, places: &Places) -> Declarations {
    let linked = link(db, program);
    let mut declarer = Declarer { db, program, linked, places, out: Declarations::default() };
    for unit in &linked.units {
        let lowered = unit.lowered(db);
        if let (Unit::Function(callee, _), Some(function)) = (unit, &lowered.function) {
            let owner = crate::types::definition::function(db, callee.function).function.item.program(db);
            let symbol = linked.symbol(owner, &function.name).clone();
            // Units that share a function have it from the first unit.
            if !declarer.out.functions.contains_key(&symbol) {
                declarer.function(symbol, callee.function);
            }
        }
        for (var, owner) in &lowered.globals {
            declarer.global(*var, *owner);
        }
    }
    declarer.out
}

struct Declarer<'a, 'db> {
    db: &'db dyn Db,
    program: Program,
    linked: &'db Linked<'db>,
    places: &'a Places,
    out: Declarations,
}

impl<'db> Declarer<'_, 'db> {
    fn location(&self, place: SourcePlace<'db>) -> Option<Location> {
        self.places.location(self.db, place)
    }

    // ---- functions

    fn function(&mut self, symbol: Symbol, f: FnInst<'db>) {
        let db = self.db;
        let defined = crate::types::definition::function(db, f).function;
        let Some(node) = fn_node(db, defined) else { return };
        let signature = env::signature(db, f);
        let params = signature.params.iter().map(|p| self.source_type(p.ty)).collect();
        let names = template_params(db, f.function(db)).iter().map(|p| p.name.as_str());
        let declaration = FunctionDeclaration {
            name: signature.name.as_str().into(),
            declared: self.forward(f, defined).and_then(|place| self.location(place)),
            opens: crate::types::definition::body(db, f).and_then(|(item, n)| self.places.opening(db, item, n)),
            owner: f.owner(db).map(|owner| self.source_type(Ty::new(db, TyKind::Record(owner)))),
            result: self.source_type(signature.ret),
            params,
            arguments: self.arguments(names, f.args(db)),
            variables: self.variables(f, signature, node),
        };
        self.out.functions.insert(symbol, declaration);
        if let Some((item, n)) = crate::types::definition::body(db, f)
            && let Some(tree) = body_tree(db, item, n)
        {
            let mut blocks = Vec::new();
            tree.root.iter().for_each(|stmt| collect_blocks(&tree.ast, *stmt, &mut blocks));
            self.out.blocks.insert(linked_text(db, self.program, item, Some(n)), blocks);
        }
    }

    /// Returns the name in a declaration of the function apart from its definition.
    fn forward(&self, f: FnInst<'db>, defined: FnId<'db>) -> Option<SourcePlace<'db>> {
        let db = self.db;
        if defined != f.function(db) {
            return Some(fn_signature(db, f).name_place);
        }
        if f.owner(db).is_some() || !f.args(db).is_empty() {
            return None;
        }
        let signature = env::signature(db, f);
        let (scope, name) = (Name::new(db, defined.item.scope(db).to_string()), Name::new(db, signature.name.clone()));
        let others = crate::types::names::lookup_in(db, defined.item.program(db), scope, name).iter();
        others.filter_map(|def| if let Def::Function(other) = def { Some(*other) } else { None }).find_map(|other| {
            let has_no_body = fn_node(db, other)?.function.body == ast::Body::None;
            let inst = FnInst::new(db, other, None, Vec::new());
            let params = || env::signature(db, inst).params.iter().map(|p| p.ty);
            let is_same = other != defined && has_no_body && params().eq(signature.params.iter().map(|p| p.ty));
            is_same.then(|| fn_signature(db, inst).name_place)
        })
    }

    /// Returns the types of parameters and locals that are more than plain.
    fn variables(
        &mut self,
        f: FnInst<'db>,
        signature: &Signature<'db>,
        node: crate::db::items::FnNode<'db>,
    ) -> rustc_hash::FxHashMap<(bool, u32), Spelled> {
        let db = self.db;
        let mut out = rustc_hash::FxHashMap::default();
        let body = crate::types::definition::body(db, f);
        let tree = body.and_then(|(item, n)| body_tree(db, item, n));
        let declared = tree.map(|tree| local_declarations(&tree.ast)).unwrap_or_default();
        for (i, local) in check(db, f).body.locals.iter().enumerate() {
            let at = local.span.lo;
            let is_param = i < signature.params.len();
            let spelled = if let Some(record) = shown_record(db, local.ty) {
                self.spelled(record)
            } else if is_param {
                let param = node.function.params.get(i);
                let written = param.and_then(|p| Some((p.ty, p.declarator.as_ref()?.dims.len())));
                self.spelled_as(local.ty, body.map(|b| b.0), &node.tree.ast, written)
            } else {
                let written = declared.iter().find(|d| d.0 == at).map(|d| (d.1, d.2));
                match tree {
                    Some(tree) => self.spelled_as(local.ty, body.map(|b| b.0), &tree.ast, written),
                    None => self.spelled(local.ty),
                }
            };
            if spelled != Spelled::Plain {
                out.insert((is_param, at), spelled);
            }
        }
        out
    }

    // ---- globals

    fn global(&mut self, var: VarId<'db>, owner: Option<RecordInst<'db>>) {
        let db = self.db;
        let (Some(decl), Ok(access)) = (global(db, var, owner), access(db, var, owner)) else { return };
        let symbol = self.linked.symbol(var.item.program(db), &access.symbol).clone();
        if self.out.globals.contains_key(&symbol) {
            return;
        }
        let declaration = match (decl.kind, cbuffer(db, var.item)) {
            (GlobalKind::CBufferMember(_), Some(buffer)) => {
                let members = buffer.members.iter().map(|m| (m.place, m.ty)).collect();
                self.block(&buffer.symbol, Some(buffer.place), members)
            }
            (GlobalKind::Loose, _) => {
                let members = crate::types::blocks::loose(db, var.item.program(db));
                let members = members.iter().filter_map(|var| global(db, *var, None)).map(|g| (g.place, g.ty));
                self.block(blocks::GLOBALS, None, members.collect())
            }
            _ => GlobalDeclaration {
                name: decl.name.as_str().into(),
                at: self.location(decl.place),
                spelled: match var_node(db, var) {
                    Some(node) => {
                        let written = Some((node.ty, node.declarator.dims.len()));
                        self.spelled_as(decl.ty, Some(var.item), &node.tree.ast, written)
                    }
                    None => self.spelled(decl.ty),
                },
            },
        };
        self.out.globals.insert(symbol, declaration);
    }

    /// Declares a constant buffer, whose members are its fields in order.
    fn block(
        &mut self,
        name: &str,
        place: Option<SourcePlace<'db>>,
        members: Vec<(SourcePlace<'db>, Ty<'db>)>,
    ) -> GlobalDeclaration {
        let at = place.and_then(|place| self.location(place));
        let member = |(place, ty)| MemberDeclaration { at: self.location(place), spelled: self.spelled(ty) };
        let members = members.into_iter().map(member).collect();
        let ty = Symbol::from(format!("cbuffer {name}"));
        let kind = TypeDeclarationKind::Record { members, arguments: Vec::new() };
        self.out.types.insert(ty.clone(), TypeDeclaration { name: name.into(), at, kind });
        GlobalDeclaration { name: name.into(), at, spelled: Spelled::Named(ty) }
    }

    // ---- types

    fn source_type(&mut self, ty: Ty<'db>) -> SourceType {
        let layout = crate::tables::binding_options::BlockLayout::default();
        SourceType { ty: crate::types::layout::value_type(self.db, ty, layout).ok(), spelled: self.spelled(ty) }
    }

    /// Spells a type that is written by an alias, inside the dimensions of the declarator.
    fn spelled_as(
        &mut self,
        ty: Ty<'db>,
        item: Option<Item<'db>>,
        ast: &Ast,
        written: Option<(TypeId, usize)>,
    ) -> Spelled {
        let alias = |(id, dims)| Some((self.alias(ast, id, item?)?, dims));
        match written.and_then(alias) {
            Some((alias, dims)) => self.inside(ty, dims, alias),
            None => self.spelled(ty),
        }
    }

    fn inside(&mut self, ty: Ty<'db>, dims: usize, alias: (Symbol, SourcePlace<'db>)) -> Spelled {
        match ty.kind(self.db) {
            TyKind::Array(element, _) if dims > 0 => Spelled::Array(Box::new(self.inside(*element, dims - 1, alias))),
            _ => {
                let (name, place) = alias;
                let (key, at) = (Symbol::from(format!("typedef {name}")), self.location(place));
                let kind = TypeDeclarationKind::Alias { of: self.spelled(ty) };
                self.out.types.insert(key.clone(), TypeDeclaration { name, at, kind });
                Spelled::Named(key)
            }
        }
    }

    /// Returns the `typedef` or `using` of this program, outside of records and functions, that a written type names.
    fn alias(&self, ast: &Ast, id: TypeId, item: Item<'db>) -> Option<(Symbol, SourcePlace<'db>)> {
        let db = self.db;
        let TypeKind::Path(path) = &ast.types[id].kind else { return None };
        let [segment] = path.segments.as_slice() else { return None };
        let (scope, name) = (crate::types::definition::home(db, item).to_string(), segment.name.text.to_string());
        let found = crate::types::names::lookup(db, item.program(db), Name::new(db, scope), Name::new(db, name));
        match found.as_slice() {
            [def @ Def::Alias(alias)] if alias.item.program(db) == item.program(db) && segment.args.is_none() => {
                let name = crate::types::globals::qualified(db, alias.item, &segment.name.text);
                Some((name.into(), crate::types::names::def_place(db, *def)?))
            }
            _ => None,
        }
    }

    fn spelled(&mut self, ty: Ty<'db>) -> Spelled {
        match ty.kind(self.db) {
            TyKind::Array(element, _) => match self.spelled(*element) {
                Spelled::Plain => Spelled::Plain,
                element => Spelled::Array(Box::new(element)),
            },
            TyKind::Record(inst) => Spelled::Named(self.record(ty, *inst)),
            TyKind::Enum(id) => Spelled::Named(self.enumeration(ty, *id)),
            _ => Spelled::Plain,
        }
    }

    fn record(&mut self, ty: Ty<'db>, inst: RecordInst<'db>) -> Symbol {
        let db = self.db;
        let key = Symbol::from(full_name(db, ty));
        if self.out.types.contains_key(&key) {
            return key;
        }
        let decl = record(db, inst);
        let (name, at) = (Symbol::from(ty.display(db)), self.location(decl.place));
        // Registered before its members, which may refer to it.
        let kind = TypeDeclarationKind::Object { arguments: Vec::new() };
        self.out.types.insert(key.clone(), TypeDeclaration { name: name.clone(), at, kind });
        let names = record_template_params(db, inst.record(db)).iter().map(|p| p.name.as_str());
        let arguments = self.arguments(names, inst.args(db));
        let kind = if decl.builtin.is_some() {
            TypeDeclarationKind::Object { arguments }
        } else {
            let id = crate::types::definition::record(db, inst).record;
            let members = decl.fields.iter().map(|field| {
                let written = record_node(db, id)
                    .filter(|_| field.inherited.is_none() && field.place.body.is_none())
                    .and_then(|node| Some((node, field_type(node, field.place.span.lo)?)));
                let spelled = match written {
                    Some((node, written)) => self.spelled_as(field.ty, Some(id.item), &node.tree.ast, Some(written)),
                    None => self.spelled(field.ty),
                };
                MemberDeclaration { at: self.location(field.place), spelled }
            });
            TypeDeclarationKind::Record { members: members.collect(), arguments }
        };
        self.out.types.insert(key.clone(), TypeDeclaration { name, at, kind });
        key
    }

    fn arguments<'n>(
        &mut self,
        names: impl Iterator<Item = &'n str>,
        args: &[GenericArg<'db>],
    ) -> Vec<TemplateArgument> {
        let argument = |(name, arg): (&str, &GenericArg<'db>)| TemplateArgument {
            name: name.into(),
            value: match arg {
                GenericArg::Ty(ty) => TemplateValue::Type(self.source_type(*ty)),
                GenericArg::Value(value) => TemplateValue::Int(value.number() as i64),
            },
        };
        names.zip(args).map(argument).collect()
    }

    fn enumeration(&mut self, ty: Ty<'db>, id: EnumId<'db>) -> Symbol {
        let db = self.db;
        let key = Symbol::from(full_name(db, ty));
        if let Some(node) = enum_node(db, id).filter(|_| !self.out.types.contains_key(&key)) {
            let values = enum_values(db, id).values.iter();
            let values = node.def.values.iter().zip(values).filter_map(|((name, _), value)| {
                Some((Symbol::from(name.text.as_str()), i64::try_from((*value)?.to_int()?).ok()?))
            });
            let at = node.def.name.as_ref().and_then(|name| self.location(SourcePlace::token(id.item, name.at)));
            let kind = TypeDeclarationKind::Enum { values: values.collect(), scoped: node.def.scoped };
            self.out.types.insert(key.clone(), TypeDeclaration { name: ty.display(db).into(), at, kind });
        }
        key
    }
}

/// Returns the type of the record that debuggers show for the input or the output records of a node.
fn shown_record<'db>(db: &'db dyn Db, ty: Ty<'db>) -> Option<Ty<'db>> {
    match builtin(db, ty)? {
        Builtin::Input(_) | Builtin::OutputRecords(_) => type_arg(db, ty.as_record(db)?),
        _ => None,
    }
}

/// Returns the type of the field with this name token, and its number of dimensions.
fn field_type(node: crate::db::items::RecordNode<'_>, at: u32) -> Option<(TypeId, usize)> {
    let ast = &node.tree.ast;
    node.record.members.iter().flatten().find_map(|member| match &ast.items[*member].kind {
        ast::ItemKind::Var(var) => declarator(var, at),
        _ => None,
    })
}

fn declarator(var: &ast::VarDecl, at: u32) -> Option<(TypeId, usize)> {
    let found = var.vars.iter().find(|d: &&Declarator| d.name.at == at)?;
    Some((var.ty, found.dims.len()))
}

/// Returns the name tokens of a body's declarations, with their types and numbers of dimensions.
fn local_declarations(ast: &Ast) -> Vec<(u32, TypeId, usize)> {
    let vars = ast.stmts.values().filter_map(|stmt| if let StmtKind::Var(var) = &stmt.kind { Some(var) } else { None });
    vars.flat_map(|var| var.vars.iter().map(|d| (d.name.at, var.ty, d.dims.len()))).collect()
}

/// Collects blocks, and statements with a declaration of their own.
fn collect_blocks(ast: &Ast, id: StmtId, out: &mut Vec<Range<u32>>) {
    let stmt = &ast.stmts[id];
    let mut open = |is_block: bool| {
        if is_block {
            out.push(stmt.span.lo..stmt.span.hi);
        }
    };
    match &stmt.kind {
        StmtKind::Block(inner) => {
            open(true);
            inner.iter().for_each(|stmt| collect_blocks(ast, *stmt, out));
        }
        StmtKind::Attributed { stmt, .. } => collect_blocks(ast, *stmt, out),
        StmtKind::If { decl, then, otherwise, .. } => {
            open(decl.is_some());
            [Some(*then), *otherwise].into_iter().flatten().for_each(|stmt| collect_blocks(ast, stmt, out));
        }
        StmtKind::While { decl, body, .. } => {
            open(decl.is_some());
            collect_blocks(ast, *body, out);
        }
        StmtKind::DoWhile { body, .. } => collect_blocks(ast, *body, out),
        StmtKind::For { body, .. } => {
            open(true);
            collect_blocks(ast, *body, out);
        }
        StmtKind::Switch { body, .. } => {
            open(true);
            body.iter().for_each(|stmt| collect_blocks(ast, *stmt, out));
        }
        _ => {}
    }
}
