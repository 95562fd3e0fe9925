//! Notes on the names in an item's head: in types, bases, attributes, default values and declarations.
//!
//! The checker reads a head in many queries, each for a part of it. Here it is walked once, with one context for each
//! declaration. Template parameters stay symbolic: nothing that depends on them is resolved.

use wgc_frontend::ast::{
    self, Annotation, Attribute, ExprId, ExprKind, Ident, ItemId, ItemKind, Param, Path, TemplateArg, TypeId, TypeKind,
};
use wgc_sema::check::note_head_expr;
use wgc_sema::db::Db;
use wgc_sema::db::def::{AliasId, Def, EnumId, FnId, Item, RecordId, SourcePlace, VarId};
use wgc_sema::db::items::{ItemTree, item_tree};
use wgc_sema::db::ty::Env;
use wgc_sema::db::ty::Value;
use wgc_sema::db::ty::{GenericArg, RecordInst, Ty};
use wgc_sema::types::cx::Cx;
use wgc_sema::types::name_uses::{Note, Notes, Sink, Symbol, add, param_name};
use wgc_sema::types::record::{Field, record};
use wgc_sema::types::signature::{TemplateParam, record_template_params};

/// Returns the notes about the head of an item.
#[salsa::tracked(returns(ref), no_eq, lru = 512)]
pub(super) fn head_notes<'db>(db: &'db dyn Db, item: Item<'db>) -> Notes<'db> {
    let tree = item_tree(db, item);
    let sink = Sink::default();
    let mut walk = Walk { db, item, tree, sink: &sink, owner: None, env: Env::new() };
    walk.item(tree.root);
    sink.into_inner()
}

/// Returns stand-ins for the arguments of a template without an instance here.
pub(super) fn stand_in<'db>(db: &'db dyn Db, params: &[TemplateParam]) -> Vec<GenericArg<'db>> {
    let of = |param: &TemplateParam| match param.is_type {
        true => GenericArg::Ty(Ty::error(db)),
        false => GenericArg::Value(Value::literal(db, 1)),
    };
    params.iter().map(of).collect()
}

/// Returns a record; for a template, a stand-in for all its instances.
pub(super) fn stand_in_record<'db>(db: &'db dyn Db, record: RecordId<'db>) -> RecordInst<'db> {
    RecordInst::new(db, record, stand_in(db, record_template_params(db, record)))
}

struct Walk<'a, 'db> {
    db: &'db dyn Db,
    item: Item<'db>,
    tree: &'a ItemTree,
    sink: &'a Sink<'db>,
    /// The surrounding record.
    owner: Option<RecordInst<'db>>,
    /// The parameters of the surrounding templates.
    env: Env<'db>,
}

impl<'db> Walk<'_, 'db> {
    fn cx(&self) -> Cx<'_, 'db> {
        let cx = Cx::head(self.db, self.item, &self.tree.ast, &self.env);
        Cx { sink: Some(self.sink), ..cx.with_owner(self.owner) }
    }

    fn declare(&self, name: &Ident, symbol: Symbol<'db>) {
        if !name.text.is_empty() {
            add(Some(self.sink), Note { place: SourcePlace::token(self.item, name.at), symbol, declares: true });
        }
    }

    fn define(&self, name: &Ident, def: Def<'db>) {
        self.declare(name, Symbol::Def(def));
    }

    /// Returns the index of a declaration among those of its kind in this item.
    fn nth<T>(&self, all: &[T], is_it: impl Fn(&T) -> bool) -> Option<u32> {
        all.iter().position(is_it).map(|n| n as u32)
    }

    fn item(&mut self, id: ItemId) {
        let tree = self.tree;
        let item = &tree.ast.items[id];
        let param_names: Vec<&Ident> = match &item.kind {
            ItemKind::Function(function) => {
                function.params.iter().filter_map(|p| Some(&p.declarator.as_ref()?.name)).collect()
            }
            _ => Vec::new(),
        };
        self.attributes(&item.attributes, &param_names);
        match &item.kind {
            ItemKind::Function(function) => self.function(id, function),
            ItemKind::Var(var) => self.var(id, var),
            ItemKind::Type(ty) => self.ty(*ty),
            ItemKind::CBuffer(buffer) => {
                self.declare(&buffer.name, Symbol::Buffer(SourcePlace::token(self.item, buffer.name.at)));
                self.annotations(&buffer.annotations);
                buffer.members.iter().for_each(|member| self.item(*member));
            }
            ItemKind::Typedef { ty, declarators } => {
                self.ty(*ty);
                for (n, declarator) in declarators.iter().enumerate() {
                    self.alias(id, n as u32, &declarator.name);
                    self.dims(&declarator.dims);
                }
            }
            ItemKind::Using { name, attributes, ty, dims } => {
                self.alias(id, 0, name);
                self.attributes(attributes, &[]);
                self.ty(*ty);
                self.dims(dims);
            }
            ItemKind::UsingNamespace(path) | ItemKind::UsingName(path) => self.path(path),
            ItemKind::NamespaceAlias { path, .. } => self.path(path),
            ItemKind::Instantiation(inner) => self.item(*inner),
            ItemKind::Namespace { items, .. } => items.iter().for_each(|inner| self.item(*inner)),
            ItemKind::Template { params, item } => self.template(params, *item),
            ItemKind::StaticAssert(args) => args.iter().for_each(|arg| self.expr(*arg, None)),
            ItemKind::Empty | ItemKind::Import(_) | ItemKind::Error => {}
        }
    }

    fn template(&mut self, params: &[ast::TemplateParam], item: ItemId) {
        let known = self.env.len();
        for param in params {
            let name = param_name(param);
            let arg = match param {
                ast::TemplateParam::Type { default, .. } => {
                    default.iter().for_each(|ty| self.ty(*ty));
                    GenericArg::Ty(Ty::error(self.db))
                }
                ast::TemplateParam::Value { ty, default, .. } => {
                    self.ty(*ty);
                    default.iter().for_each(|value| self.expr(*value, None));
                    GenericArg::Value(Value::literal(self.db, 1))
                }
            };
            self.declare(name, Symbol::TemplateParam(SourcePlace::token(self.item, name.at)));
            self.env.push((name.text.to_string(), arg));
        }
        self.item(item);
        self.env.truncate(known);
    }

    fn function(&mut self, id: ItemId, function: &ast::Function) {
        self.ty(function.ret);
        if let Some(owner) = &function.owner {
            self.path(owner);
        }
        self.args(function.specialises.as_deref());
        if let Some(index) = self.nth(&self.tree.decls.functions, |f| f.item == id) {
            self.define(&function.name, Def::Function(FnId { item: self.item, index }));
        }
        // A member defined outside its record resolves names as inside it.
        let around = self.owner;
        if let Some(path) = &function.owner
            && let Some(Def::Record(record)) = wgc_sema::types::definition::def_at(self.db, self.item, path)
        {
            self.owner = Some(self.instance(record));
        }
        function.params.iter().for_each(|param| self.param(param));
        self.annotations(&function.annotations);
        self.owner = around;
    }

    fn param(&mut self, param: &Param) {
        self.attributes(&param.attributes, &[]);
        let ty = self.ty_of(param.ty);
        if let Some(declarator) = &param.declarator {
            self.dims(&declarator.dims);
            self.annotations(&declarator.annotations);
            let ty = wgc_sema::types::cx::Cx::head(self.db, self.item, &self.tree.ast, &self.env)
                .with_owner(self.owner)
                .declared_ty(ty, declarator);
            let place = SourcePlace::token(self.item, declarator.name.at);
            self.declare(&declarator.name, Symbol::Local { place, ty: ty.unordered(self.db), is_param: true });
            declarator.init.iter().for_each(|init| self.expr(*init, Some(ty)));
        }
    }

    fn var(&mut self, id: ItemId, var: &ast::VarDecl) {
        let base = self.ty_of(var.ty);
        for (n, declarator) in var.vars.iter().enumerate() {
            if let Some(owner) = &declarator.owner {
                self.path(owner);
            }
            self.args(declarator.specialises.as_deref());
            let is_it = |v: &wgc_sema::tables::decls::VarDecl| v.item == id && v.declarator == n as u32;
            match (self.nth(&self.tree.decls.vars, is_it), self.owner) {
                (Some(index), _) => self.define(&declarator.name, Def::Var(VarId { item: self.item, index })),
                (None, Some(owner)) => self.field(owner, &declarator.name),
                (None, None) => {}
            }
            self.dims(&declarator.dims);
            self.annotations(&declarator.annotations);
            if let Some(init) = declarator.init {
                let ty = self.plain_cx().declared_ty(base, declarator);
                self.expr(init, Some(ty));
            }
        }
    }

    fn field(&self, owner: RecordInst<'db>, name: &Ident) {
        let place = SourcePlace::token(self.item, name.at);
        let fields = &record(self.db, owner).fields;
        let is_it = |field: &&Field<'db>| field.declares(&name.text) == Some(place);
        let ty = fields.iter().find(is_it).map(|field| {
            field.bits.iter().find(|bits| bits.name == name.text.as_str()).map_or(field.ty, |bits| bits.ty)
        });
        let ty = ty.unwrap_or_else(|| Ty::error(self.db));
        self.declare(name, Symbol::Field { place, owner, ty });
    }

    fn alias(&self, id: ItemId, declarator: u32, name: &Ident) {
        let is_it = |a: &wgc_sema::tables::decls::AliasDecl| a.item == id && a.declarator == declarator;
        if let Some(index) = self.nth(&self.tree.decls.aliases, is_it) {
            self.define(name, Def::Alias(AliasId { item: self.item, index }));
        }
    }

    /// Returns a context that records no notes.
    fn plain_cx(&self) -> Cx<'_, 'db> {
        Cx::head(self.db, self.item, &self.tree.ast, &self.env).with_owner(self.owner)
    }

    fn instance(&self, record: RecordId<'db>) -> RecordInst<'db> {
        stand_in_record(self.db, record)
    }

    // ---- types

    fn ty(&mut self, id: TypeId) {
        self.ty_of(id);
    }

    fn ty_of(&mut self, id: TypeId) -> Ty<'db> {
        match &self.tree.ast.types[id].kind {
            TypeKind::Record(record) => {
                self.record(id, record);
                self.plain_cx().ty(id)
            }
            TypeKind::Enum(def) => {
                self.enumeration(id, def);
                self.plain_cx().ty(id)
            }
            TypeKind::Inferred | TypeKind::Error => Ty::error(self.db),
            TypeKind::Path(_) | TypeKind::Unsigned(_) => self.cx().ty(id),
        }
    }

    fn record(&mut self, id: TypeId, record: &ast::Record) {
        let Some(index) = self.tree.decls.record_at(id) else { return };
        let me = RecordId { item: self.item, index };
        if let Some(name) = &record.name {
            self.define(name, Def::Record(me));
        }
        self.attributes(&record.attributes, &[]);
        self.args(record.specialises.as_deref());
        record.bases.iter().for_each(|base| self.path(base));
        let inst = self.instance(me);
        let around = self.owner.replace(inst);
        record.members.iter().flatten().for_each(|member| self.item(*member));
        self.owner = around;
    }

    fn enumeration(&mut self, id: TypeId, def: &ast::EnumDef) {
        let Some(index) = self.tree.decls.enum_at(id) else { return };
        let me = EnumId { item: self.item, index, owner: self.owner };
        if let Some(name) = &def.name {
            self.define(name, Def::Enum(me));
        }
        def.base.iter().for_each(|base| self.ty(*base));
        for (n, (name, value)) in def.values.iter().enumerate() {
            self.define(name, Def::EnumValue(me, n as u32));
            let Some(value) = value else { continue };
            // A value refers to previous values by their plain names.
            self.earlier_values(*value, me, def);
            self.expr(*value, None);
        }
    }

    fn earlier_values(&self, expr: ExprId, me: EnumId<'db>, def: &ast::EnumDef) {
        if let ExprKind::Path(path) = &self.tree.ast.exprs[expr].kind
            && let [only] = path.segments.as_slice()
            && let Some(n) = def.values.iter().position(|(name, _)| name.text == only.name.text)
        {
            let symbol = Symbol::Def(Def::EnumValue(me, n as u32));
            wgc_sema::types::name_uses::note(Some(self.sink), SourcePlace::token(self.item, only.name.at), symbol);
        }
        for child in self.tree.ast.children(ast::visit::Node::Expr(expr)) {
            if let ast::visit::Node::Expr(inner) = child {
                self.earlier_values(inner, me, def);
            }
        }
    }

    // ---- parts of declarations

    fn dims(&mut self, dims: &[Option<ExprId>]) {
        dims.iter().flatten().for_each(|dim| self.expr(*dim, None));
    }

    fn annotations(&mut self, annotations: &[Annotation]) {
        for annotation in annotations {
            match annotation {
                Annotation::Bits(width) => self.expr(*width, None),
                Annotation::Semantic(name) => self.word(name, super::attribute_docs::semantic(&name.text)),
                Annotation::Register(..) | Annotation::PackOffset(..) => {}
            }
        }
    }

    /// Notes the names in attributes. `params` are those of the function that the attributes precede.
    fn attributes(&mut self, attributes: &[Attribute], params: &[&Ident]) {
        for attribute in attributes {
            if let [only] = attribute.path.segments.as_slice() {
                self.word(&only.name, wgc_sema::types::attribute_table::find(&only.name.text).map(|row| row.name));
            }
            attribute.args.iter().flatten().for_each(|arg| self.attribute_arg(*arg, params));
        }
    }

    fn word(&self, name: &Ident, word: Option<&'static str>) {
        if let Some(word) = word {
            wgc_sema::types::name_uses::note(
                Some(self.sink),
                SourcePlace::token(self.item, name.at),
                Symbol::Word(word),
            );
        }
    }

    fn attribute_arg(&mut self, arg: ExprId, params: &[&Ident]) {
        // `[MaxRecordsSharedWith(other)]` names any parameter, even a later one.
        if let ExprKind::Path(path) = &self.tree.ast.exprs[arg].kind
            && let [only] = path.segments.as_slice()
            && let Some(place) = self.param_named(&only.name, params)
        {
            let symbol = Symbol::Local { place, ty: Ty::error(self.db), is_param: true };
            return wgc_sema::types::name_uses::note(
                Some(self.sink),
                SourcePlace::token(self.item, only.name.at),
                symbol,
            );
        }
        self.expr(arg, None);
    }

    /// Returns a parameter of the function around a location in its head.
    fn param_named(&self, name: &Ident, params: &[&Ident]) -> Option<SourcePlace<'db>> {
        let named = |ident: &&Ident| ident.text == name.text;
        if let Some(param) = params.iter().copied().find(named) {
            return Some(SourcePlace::token(self.item, param.at));
        }
        let functions = self.tree.decls.functions.iter().filter_map(|f| match &self.tree.ast.items[f.item].kind {
            ItemKind::Function(function) => Some(function),
            _ => None,
        });
        let around =
            functions.into_iter().find(|f| f.params.iter().any(|p| (p.span.lo..p.span.hi).contains(&name.at)))?;
        let names = around.params.iter().filter_map(|p| Some(&p.declarator.as_ref()?.name));
        let param = names.into_iter().find(named)?;
        Some(SourcePlace::token(self.item, param.at))
    }

    fn args(&mut self, args: Option<&[TemplateArg]>) {
        for arg in args.into_iter().flatten() {
            match *arg {
                TemplateArg::Expr(expr) => self.expr(expr, None),
                TemplateArg::Type(ty) => self.ty(ty),
            }
        }
    }

    fn path(&mut self, path: &Path) {
        self.cx().resolve(path);
    }

    fn expr(&mut self, expr: ExprId, ty: Option<Ty<'db>>) {
        note_head_expr(&self.cx(), expr, ty);
    }
}
