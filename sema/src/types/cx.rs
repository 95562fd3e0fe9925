//! The context of a type or an expression, and the resolution of paths in it.
//!
//! Each piece of syntax is read with its own [`Cx`]. It has the tree, the item for locations and scope, template
//! arguments, the enclosing record and, in bodies, the function's own names. Types (`types`), constants
//! (`const_eval`), template arguments (`template_args`), unknown names (`unknown_names`) and attributes are further
//! `impl` blocks of it. Errors gather in [`Cx::errors`].

use crate::db::Db;
use crate::db::def::{Def, EnumId, FnId, Item, Name, RecordId, SourcePlace, VarId};
use crate::db::diagnostic::Diagnostic;
use crate::db::ty::Value;
use crate::db::ty::{Env, Local};
use crate::db::ty::{GenericArg, RecordInst, Ty, TyKind};
use crate::tables::codes::Code;
use crate::types::ambiguity;
use crate::types::name_table::lies_in;
use crate::types::name_uses::{self, Sink, Symbol};
use crate::types::names;
use crate::types::record::own_name;
use crate::types::using_directives::directives;
use crate::types::visible::{known, late_types, visible};
use rustc_hash::{FxBuildHasher, FxHashSet};
use std::borrow::Cow;
use std::hash::BuildHasher as _;
use wgc_frontend::ast::{Ast, Path, Segment, Span};

/// The names of a function body, supplied by its checker. They hide everything else.
pub trait Locals<'db> {
    fn find(&self, name: &str) -> Option<Local<'db>>;

    /// Returns the type with this name, even if a variable hides it.
    fn find_type(&self, name: &str) -> Option<Local<'db>> {
        self.find(name).filter(|local| matches!(local, Local::Type(_)))
    }

    /// Returns the declaration of a variable of the function, to record uses of names.
    fn variable(&self, _name: &str) -> Option<Symbol<'db>> {
        None
    }

    /// Returns the definitions that a using-declaration in the function gives the name; empty without one.
    fn declared(&self, _name: &str) -> &[Def<'db>] {
        &[]
    }

    /// Returns the names of types that the function defines.
    fn types(&self) -> Vec<String> {
        Vec::new()
    }

    /// Returns the namespaces that the function uses.
    fn namespaces(&self) -> Vec<Name<'db>> {
        Vec::new()
    }
}

pub struct Cx<'a, 'db> {
    pub db: &'db dyn Db,
    pub item: Item<'db>,
    /// The body that `ast` was parsed from; `None` for the item's head.
    pub body: Option<u32>,
    pub ast: &'a Ast,
    pub env: &'a Env<'db>,
    /// The record whose members are visible without qualification.
    pub owner: Option<RecordInst<'db>>,
    pub locals: Option<&'a dyn Locals<'db>>,
    pub errors: Vec<Diagnostic<'db>>,
    /// Hashes of the errors from [`Cx::adopt`].
    pub adopted: FxHashSet<u64>,
    /// Specialisation constants whose values were used, until a caller takes them.
    pub specialised: Vec<VarId<'db>>,
    /// The recorder for uses of names, if they are needed.
    pub sink: Option<&'a Sink<'db>>,
}

/// Selects the definitions that are visible in the text of an item.
type Select<'db> = fn(&'db dyn Db, &'db [Def<'db>], Item<'db>) -> Cow<'db, [Def<'db>]>;

/// The declarations of a name that a lookup considers. In one scope a value hides a record or enum (C++
/// [basic.scope.hiding]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sought {
    /// All declarations, for an expression.
    Any,
    /// A type: values that are declared later do not hide it yet.
    Type,
    /// Only types and namespaces: after `struct` or `enum`, and before `::`.
    Scope,
}

/// The target of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathTarget<'db> {
    /// The name is unknown; nothing was reported. The value is the index of the unknown segment.
    Nothing(usize),
    /// An error was reported.
    Error,
    Type(Ty<'db>),
    /// The value argument of a template.
    Value(Value<'db>),
    /// A name of the function.
    Local(Local<'db>),
    /// An overload set, never empty; methods come with their record.
    Functions(Vec<(Option<RecordInst<'db>>, FnId<'db>)>),
    /// A global, or a static member with its record.
    Var(Option<RecordInst<'db>>, VarId<'db>),
    /// A field of the enclosing record, by its index in `record(..).fields`.
    Field(u32),
    EnumValue(EnumId<'db>, u32),
    Namespace(Name<'db>),
}

impl<'db> Local<'db> {
    fn found(self) -> PathTarget<'db> {
        match self {
            Local::Type(ty) => PathTarget::Type(ty),
            Local::EnumValue(e, n) => PathTarget::EnumValue(e, n),
            Local::Variable | Local::Constant(..) => PathTarget::Local(self),
        }
    }
}

/// Returns the argument of a template parameter.
fn argument<'db>(env: &Env<'db>, text: &str) -> Option<PathTarget<'db>> {
    let (_, arg) = env.iter().rev().find(|(name, _)| name == text)?;
    Some(match arg {
        GenericArg::Ty(ty) => PathTarget::Type(*ty),
        GenericArg::Value(value) => PathTarget::Value(*value),
    })
}

/// Returns the symbol to record for a member of a type. Aliases and fields are recorded at their lookup.
fn member_symbol<'db>(found: &PathTarget<'db>) -> Option<Symbol<'db>> {
    Some(match found {
        PathTarget::Functions(functions) => Symbol::Def(Def::Function(functions.first()?.1)),
        PathTarget::Var(_, var) => Symbol::Def(Def::Var(*var)),
        PathTarget::EnumValue(e, n) => Symbol::Def(Def::EnumValue(*e, *n)),
        _ => return None,
    })
}

impl<'a, 'db> Cx<'a, 'db> {
    /// Creates a context for the head of an item.
    pub fn head(db: &'db dyn Db, item: Item<'db>, ast: &'a Ast, env: &'a Env<'db>) -> Cx<'a, 'db> {
        let (errors, specialised, adopted) = (Vec::new(), Vec::new(), FxHashSet::default());
        Cx { db, item, body: None, ast, env, owner: None, locals: None, errors, adopted, specialised, sink: None }
    }

    pub fn with_owner(mut self, owner: Option<RecordInst<'db>>) -> Self {
        self.owner = owner;
        self
    }

    pub fn place(&self, span: Span) -> SourcePlace<'db> {
        SourcePlace { item: self.item, body: self.body, span }
    }

    pub fn token(&self, at: u32) -> SourcePlace<'db> {
        self.place(Span { lo: at, hi: at + 1 })
    }

    /// Records the meaning of the name at a token.
    pub(crate) fn note(&self, at: u32, symbol: Symbol<'db>) {
        name_uses::note(self.sink, self.token(at), symbol);
    }

    /// Records the meaning of a name of the function.
    fn note_local(&self, segment: &Segment, local: Local<'db>) {
        if self.sink.is_none() {
            return;
        }
        let symbol = match local {
            Local::Type(ty) => Some(Symbol::Type(ty)),
            Local::EnumValue(e, n) => Some(Symbol::Def(Def::EnumValue(e, n))),
            Local::Variable | Local::Constant(..) => {
                self.locals.and_then(|locals| locals.variable(segment.name.text.as_str()))
            }
        };
        if let Some(symbol) = symbol {
            self.note(segment.name.at, symbol);
        }
    }

    pub fn error(&mut self, code: Code, span: Span, message: impl Into<String>) {
        let diagnostic = Diagnostic::new(code, self.place(span), message);
        self.errors.push(diagnostic);
    }

    /// Resolves a path. The function's names come first, then template parameters, members of the enclosing record,
    /// and [`names::lookup`]. The caller handles template arguments of a function.
    pub fn resolve(&mut self, path: &Path) -> PathTarget<'db> {
        self.resolve_as(path, Sought::Any)
    }

    /// Resolves a path like [`Cx::resolve`], but considers only some kinds of declarations.
    pub fn resolve_as(&mut self, path: &Path, sought: Sought) -> PathTarget<'db> {
        let last = path.segments.len().saturating_sub(1);
        let sought = |at: usize| if at == last { sought } else { Sought::Scope };
        let Some((first, rest)) = path.segments.split_first() else { return PathTarget::Error };
        if path.segments.iter().any(|s| s.name.text.is_empty()) {
            return PathTarget::Error; // repaired: an error exists
        }
        let found = self.resolve_first(path, first, sought(0));
        let mut found = self.of_template(found);
        for (i, segment) in rest.iter().enumerate() {
            found = match found {
                PathTarget::Namespace(scope) => {
                    let name = Name::new(self.db, segment.name.text.to_string());
                    let defs = names::lookup_in(self.db, self.item.program(self.db), scope, name);
                    let mut known = known(self.db, defs, self.item);
                    if known.iter().any(|def| !self.counts(def, segment, sought(i + 1))) {
                        known.to_mut().retain(|def| self.counts(def, segment, sought(i + 1)));
                    }
                    if known.is_empty() {
                        known = Cow::Owned(late_types(defs));
                        self.warn_of_late_def(&known, segment);
                    }
                    self.defs(&known, segment, i + 1)
                }
                PathTarget::Type(ty) => match self.static_member(ty, segment, i + 1, sought(i + 1)) {
                    PathTarget::Nothing(at) => {
                        match ty.as_record(self.db).and_then(|r| own_name(self.db, r, segment)) {
                            Some(base) => PathTarget::Type(Ty::new(self.db, TyKind::Record(base))),
                            None => PathTarget::Nothing(at),
                        }
                    }
                    found => found,
                },
                PathTarget::Nothing(at) => return PathTarget::Nothing(at),
                PathTarget::Error => return PathTarget::Error,
                _ => return PathTarget::Nothing(i + 1),
            };
            found = self.of_template(found);
        }
        found
    }

    /// Adds the errors of a definition that this text needs, each once: a chain of definitions that each need the one
    /// before twice would otherwise double the errors at each step.
    pub(crate) fn adopt(&mut self, errors: &[Diagnostic<'db>]) {
        for error in errors {
            // Callers may take or clear errors, so known hashes only say where to look.
            if self.adopted.insert(FxBuildHasher.hash_one(error)) || !self.errors.contains(error) {
                self.errors.push(error.clone());
            }
        }
    }

    /// Returns the variable if the result is an instance of a variable template.
    fn of_template(&mut self, found: PathTarget<'db>) -> PathTarget<'db> {
        let PathTarget::Type(ty) = found else { return found };
        let Some(inst) =
            ty.as_record(self.db).filter(|inst| crate::types::record::is_variable(self.db, inst.record(self.db)))
        else {
            return found;
        };
        self.adopt(&crate::types::record::record(self.db, inst).diagnostics);
        crate::types::record::variable(self.db, inst).map_or(PathTarget::Error, |var| PathTarget::Var(Some(inst), var))
    }

    fn resolve_first(&mut self, path: &Path, segment: &Segment, sought: Sought) -> PathTarget<'db> {
        let text = segment.name.text.as_str();
        if !path.global {
            let is_scope = sought == Sought::Scope;
            let local = self.locals.and_then(|l| if is_scope { l.find_type(text) } else { l.find(text) });
            if let Some(local) = local {
                self.note_local(segment, local);
                return local.found();
            }
            let declared = self.locals.map_or(&[][..], |l| l.declared(text));
            let declared: Vec<_> = declared.iter().filter(|d| self.counts(d, segment, sought)).copied().collect();
            if !declared.is_empty() {
                return self.defs(&declared, segment, 0);
            }
            if let Some(found) =
                argument(self.env, text).filter(|found| !is_scope || matches!(found, PathTarget::Type(_)))
            {
                if self.sink.is_some()
                    && let Some(place) = name_uses::template_param(self.db, self.item, self.body, segment.name.at, text)
                {
                    self.note(segment.name.at, Symbol::TemplateParam(place));
                }
                return found;
            }
            if let Some(owner) = self.owner
                && let Some(found) = self.member_around(owner, segment, sought)
            {
                return found;
            }
            if let Some(found) = self.around_item(segment, sought) {
                return found;
            }
            if let Some(found) = self.builtin_type(segment) {
                if let PathTarget::Type(ty) = found {
                    self.note(segment.name.at, Symbol::Type(ty));
                }
                return found;
            }
        }
        let program = self.item.program(self.db);
        if text == "wgc" && !program.options(self.db).internal {
            let message = "the namespace `wgc::` is internal to the compiler";
            self.errors.push(Diagnostic::new(Code::InternalNamespace, self.token(segment.name.at), message));
            return PathTarget::Error;
        }
        let (scope, name) = self.asked(path, text);
        let mut defs = visible(self.db, scope, name, self.item);
        if defs.iter().any(|def| !self.counts(def, segment, sought)) {
            let counts = |def: &Def<'db>| self.counts(def, segment, sought);
            defs = Cow::Owned(crate::types::visible::visible_among(self.db, scope, name, self.item, &counts));
        }
        if path.global {
            self.keep_qualified(name, &mut defs);
        }
        if !path.global {
            self.add_used(name, &mut defs, known);
        }
        if defs.iter().any(|def| !self.counts(def, segment, sought)) {
            defs.to_mut().retain(|def| self.counts(def, segment, sought));
        }
        let is_late = defs.is_empty();
        if is_late {
            defs = Cow::Borrowed(crate::types::visible::later(self.db, program, scope, name));
            if !path.global {
                self.add_used(name, &mut defs, |_, defs, _| Cow::Owned(late_types(defs)));
            }
        }
        if self.is_ambiguous(&defs, segment) {
            return PathTarget::Error;
        }
        if is_late {
            self.warn_of_late_def(&defs, segment);
        }
        self.defs(&defs, segment, 0)
    }

    fn warn_of_late_def(&mut self, defs: &[Def<'db>], segment: &Segment) {
        if let Some(place) = defs.first().and_then(|def| names::def_place(self.db, *def)) {
            self.warn_of_late(segment, place);
        }
    }

    /// Warns about a type that is declared only after its use, because other compilers do not find it.
    pub(crate) fn warn_of_late(&mut self, segment: &Segment, declared: SourcePlace<'db>) {
        let program = self.item.program(self.db);
        if program.options(self.db).internal || program == self.db.prelude() {
            return;
        }
        let message = format!("`{}` is used before its declaration, which other compilers reject", segment.name.text);
        let diagnostic = Diagnostic::new(Code::LateType, self.token(segment.name.at), message);
        self.errors.push(diagnostic.also(declared, "declared here"));
    }

    /// Returns whether a lookup considers a declaration.
    fn counts(&self, def: &Def<'db>, segment: &Segment, sought: Sought) -> bool {
        let is_value = match def {
            Def::Function(_) | Def::Var(_) | Def::EnumValue(..) => true,
            Def::Record(record) => crate::types::record::is_variable(self.db, *record),
            Def::Enum(_) | Def::Alias(_) | Def::Namespace(_) => false,
        };
        let is_declared = || {
            def.item() != Some(self.item)
                || names::def_place(self.db, *def).is_none_or(|place| self.is_after(self.item, place.span.lo, segment))
        };
        match sought {
            _ if !is_value => true,
            Sought::Any => true,
            Sought::Type => is_declared(),
            Sought::Scope => false,
        }
    }

    /// Returns whether a name comes after a token of the head of an item. Declarations of the head are known in its
    /// bodies.
    pub(crate) fn is_after(&self, item: Item<'db>, at: u32, segment: &Segment) -> bool {
        item != self.item || self.body.is_some() || at < segment.name.at
    }

    /// Reports a name that has meanings in several namespaces. For functions, overload resolution decides instead.
    fn is_ambiguous(&mut self, defs: &[Def<'db>], segment: &Segment) -> bool {
        let Some(best) = defs.iter().copied().find(|d| !matches!(d, Def::Function(_))) else { return false };
        let Some(rival) = ambiguity::rival(self.db, best, defs) else { return false };
        if ![best, rival].into_iter().all(|def| self.is_open(def)) {
            return false;
        }
        if matches!((best, rival), (Def::Alias(_), Def::Alias(_)))
            && self.defs(&[best], segment, 0) == self.defs(&[rival], segment, 0)
        {
            return false;
        }
        let name = segment.name.text.as_str();
        let full = |def: Def<'db>| def.item().map_or(String::new(), |item| ambiguity::full_name(self.db, item, name));
        let message = format!("`{name}` is ambiguous: `{}` or `{}`", full(best), full(rival));
        let mut diagnostic = Diagnostic::new(Code::AmbiguousName, self.token(segment.name.at), message);
        for def in [best, rival] {
            if let Some(place) = names::def_place(self.db, def) {
                diagnostic = diagnostic.also(place, format!("`{}`", full(def)));
            }
        }
        self.errors.push(diagnostic);
        true
    }

    /// Returns whether a definition can be named here without qualification.
    fn is_open(&self, def: Def<'db>) -> bool {
        let scope = def.item().map_or("", |item| item.scope(self.db));
        self.locals.is_some_and(|l| l.namespaces().iter().any(|used| used.text(self.db) == scope))
            || ambiguity::is_open(self.db, scope, self.item)
    }

    /// Returns the first scope in the lookup of a path, and the path's first name.
    fn asked(&self, path: &Path, first: &str) -> (Name<'db>, Name<'db>) {
        let scope = if path.global { "" } else { crate::types::definition::home(self.db, self.item) };
        (Name::new(self.db, scope.to_string()), Name::new(self.db, first.to_string()))
    }

    /// Removes the meanings that `::name` has not: those from opened namespaces, if the global scope has the name itself
    /// ([namespace.qual]).
    fn keep_qualified(&self, name: Name<'db>, defs: &mut Cow<'_, [Def<'db>]>) {
        let program = self.item.program(self.db);
        if directives(self.db, program).is_empty() {
            return;
        }
        let qualified = names::lookup_in(self.db, program, Name::new(self.db, String::new()), name);
        let is_foreign = |def: &Def<'db>| def.item().is_some_and(|item| item.program(self.db) != program);
        if defs.iter().any(|def| !is_foreign(def) && !qualified.contains(def)) {
            defs.to_mut().retain(|def| is_foreign(def) || qualified.contains(def));
        }
    }

    /// Adds the meanings of a name in the namespaces that the function uses, unless a namespace around the function
    /// hides them.
    fn add_used(&self, name: Name<'db>, defs: &mut Cow<'_, [Def<'db>]>, select: Select<'db>) {
        // Names from a using-directive outside hide nothing, because their namespace is not around the function.
        let home = crate::types::definition::home(self.db, self.item);
        let is_around =
            |own: &Item<'db>| own.program(self.db) == self.item.program(self.db) && lies_in(home, own.scope(self.db));
        let own = defs.first().and_then(|def| def.item()).filter(is_around);
        for scope in self.locals.map_or_else(Vec::new, |l| l.namespaces()) {
            if own.is_some_and(|own| !lies_in(scope.text(self.db), own.scope(self.db))) {
                continue;
            }
            let found = names::lookup_in(self.db, self.item.program(self.db), scope, name);
            for def in select(self.db, found, self.item).iter() {
                if !defs.contains(def) {
                    defs.to_mut().push(*def);
                }
            }
        }
    }

    /// Resolves the path of a callee, like [`Cx::resolve`]; function definitions replace their declarations. Matching
    /// these needs signatures. Types are part of signatures, so they are not resolved this way.
    pub fn resolve_callee(&mut self, path: &Path) -> PathTarget<'db> {
        let found = self.resolve(path);
        let PathTarget::Functions(functions) = &found else { return found };
        if functions.iter().any(|(owner, _)| owner.is_some()) {
            return found;
        }
        let merged = |db: &'db dyn Db| {
            let defs: Vec<_> = functions.iter().map(|(_, f)| Def::Function(*f)).collect();
            let functions = names::merged(db, &defs).into_iter();
            PathTarget::Functions(functions.map(|f| (None, crate::types::visible::defined(db, f))).collect())
        };
        let [segment] = path.segments.as_slice() else { return merged(self.db) };
        let text = segment.name.text.as_str();
        if !path.global && self.locals.is_some_and(|l| !l.declared(text).is_empty()) {
            return merged(self.db);
        }
        let (scope, name) = self.asked(path, text);
        let program = self.item.program(self.db);
        let all = names::lookup(self.db, program, scope, name);
        let mut functions: Vec<FnId<'db>> = match known(self.db, all, self.item) {
            Cow::Borrowed(_) => names::overloads(self.db, program, scope, name).to_vec(),
            // A call of a function declared earlier refers to its later definition.
            Cow::Owned(_) => {
                let merged = names::merged(self.db, &visible(self.db, scope, name, self.item)).into_iter();
                merged.map(|f| crate::types::visible::defined(self.db, f)).collect()
            }
        };
        let mut own: Cow<'_, [Def<'db>]> = functions.iter().map(|f| Def::Function(*f)).collect();
        if path.global {
            self.keep_qualified(name, &mut own);
            functions.retain(|f| own.contains(&Def::Function(*f)));
        }
        let mut used = Cow::Borrowed(&*own);
        if !path.global {
            self.add_used(name, &mut used, known);
        }
        // The first ones are the functions themselves.
        for def in used.iter().skip(own.len()) {
            if let Def::Function(f) = def {
                functions.push(*f);
            }
        }
        // Without directives, all functions are from one namespace.
        let may_be_several = used.len() > own.len() || !directives(self.db, program).is_empty();
        if may_be_several
            && let Some(first) = functions.first().copied()
            && ambiguity::rival(self.db, Def::Function(first), used.as_ref()).is_some()
            && functions.iter().any(|f| self.is_open(Def::Function(*f)))
        {
            functions
                .retain(|f| f.item.program(self.db) != first.item.program(self.db) || self.is_open(Def::Function(*f)));
        }
        PathTarget::Functions(functions.into_iter().map(|f| (None, f)).collect())
    }

    /// Returns a declaration of the unknown name that comes after this text.
    pub fn late(&mut self, path: &Path, segment: usize) -> Option<Def<'db>> {
        let name = Name::new(self.db, path.segments.get(segment)?.name.text.to_string());
        if segment == 0 {
            let (scope, name) = self.asked(path, name.text(self.db));
            return crate::types::visible::late(self.db, scope, false, name, self.item);
        }
        match self.around(path, segment)? {
            PathTarget::Namespace(scope) => crate::types::visible::late(self.db, scope, true, name, self.item),
            _ => None,
        }
    }

    /// Returns a member of the enclosing record, or a static one of an outer record.
    fn member_around(&mut self, owner: RecordInst<'db>, segment: &Segment, sought: Sought) -> Option<PathTarget<'db>> {
        let mut inst = owner;
        loop {
            // A variable template has no members that its text could name.
            if !crate::types::record::is_variable(self.db, inst.record(self.db))
                && let Some(found) = self.own_member(inst, segment, sought)
                && (inst == owner || crate::types::record::needs_no_object(self.db, &found))
            {
                return Some(found);
            }
            inst = crate::types::record::around(self.db, inst)?;
        }
    }

    /// Returns a member of the enclosing record or its bases: nested types, static members, methods, and the record's
    /// own name.
    fn own_member(&mut self, owner: RecordInst<'db>, segment: &Segment, sought: Sought) -> Option<PathTarget<'db>> {
        let text = segment.name.text.as_str();
        if segment.args.is_none()
            && let Some(node) = crate::db::items::record_node(self.db, owner.record(self.db))
            && node.record.name.as_ref().is_some_and(|n| n.text == text)
        {
            let ty = Ty::new(self.db, TyKind::Record(owner));
            self.note(segment.name.at, Symbol::Type(ty));
            return Some(PathTarget::Type(ty));
        }
        let ty = Ty::new(self.db, TyKind::Record(owner));
        match self.static_member(ty, segment, 0, sought) {
            PathTarget::Nothing(_) => {
                // The name of a base is a member, too.
                let ty = Ty::new(self.db, TyKind::Record(own_name(self.db, owner, segment)?));
                self.note(segment.name.at, Symbol::Type(ty));
                Some(PathTarget::Type(ty))
            }
            found => Some(found),
        }
    }

    /// Resolves a name in a type that a function defines: names of the function, its template parameters, members of
    /// its record.
    fn around_item(&mut self, segment: &Segment, sought: Sought) -> Option<PathTarget<'db>> {
        let (db, text) = (self.db, segment.name.text.as_str());
        let mut next = self.item.around(db);
        while let Some(around) = next {
            let counts = |local: &Local<'db>| sought != Sought::Scope || matches!(local, Local::Type(_));
            if let Some((_, local)) = around.names(db).iter().find(|(name, local)| name == text && counts(local)) {
                self.note_local(segment, *local);
                return Some(local.found());
            }
            if let Some(found) = argument(around.env(db), text) {
                return Some(found);
            }
            if let Some(owner) = around.owner(db)
                && let Some(found) = self.own_member(owner, segment, sought)
            {
                return Some(found);
            }
            next = around.outer(db).around(db);
        }
        None
    }

    /// Resolves `T::name`.
    fn static_member(&mut self, ty: Ty<'db>, segment: &Segment, at: usize, sought: Sought) -> PathTarget<'db> {
        let text = segment.name.text.as_str();
        match ty.kind(self.db) {
            TyKind::Error => PathTarget::Error,
            TyKind::Enum(e) => {
                let values =
                    crate::db::items::enum_node(self.db, *e).map(|n| n.def.values.as_slice()).unwrap_or_default();
                match values.iter().position(|(name, _)| name.text == text) {
                    Some(n) => {
                        self.note(segment.name.at, Symbol::Def(Def::EnumValue(*e, n as u32)));
                        PathTarget::EnumValue(*e, n as u32)
                    }
                    None => PathTarget::Nothing(at),
                }
            }
            TyKind::Record(inst) => {
                let found =
                    crate::types::record::member(self, *inst, segment, sought).unwrap_or(PathTarget::Nothing(at));
                if let Some(symbol) = member_symbol(&found) {
                    self.note(segment.name.at, symbol);
                }
                found
            }
            _ => PathTarget::Nothing(at),
        }
    }

    /// Combines the definitions of a name. The definition of a record takes precedence over its declarations.
    fn defs(&mut self, defs: &[Def<'db>], segment: &Segment, at: usize) -> PathTarget<'db> {
        let functions: Vec<_> =
            defs.iter().filter_map(|d| if let Def::Function(f) = d { Some((None, *f)) } else { None }).collect();
        let complete = |d: &&Def<'db>| match d {
            Def::Record(r) => crate::db::items::record_node(self.db, *r).is_some_and(|n| n.record.members.is_some()),
            _ => true,
        };
        let other = defs.iter().filter(|d| !matches!(d, Def::Function(_)));
        // A value or function hides the record or enum of its scope.
        let is_value = |d: &&Def<'db>| matches!(d, Def::Var(_) | Def::EnumValue(..));
        let is_tag = |d: &Def<'db>| match d {
            Def::Record(record) => !crate::types::record::is_variable(self.db, *record),
            _ => matches!(d, Def::Enum(_)),
        };
        let scope = |d: Def<'db>| d.item().map(|item| (item.program(self.db), item.scope(self.db)));
        let best =
            other.clone().find(is_value).or_else(|| other.clone().find(complete)).or_else(|| other.clone().next());
        let hides = |tag: &Def<'db>| functions.iter().any(|(_, f)| scope(Def::Function(*f)) == scope(*tag));
        let best = best.filter(|best| !(is_tag(best) && hides(best)));
        let first = || functions.first().map(|(_, f)| Def::Function(*f));
        if let Some(def) = best.copied().or_else(first).or(defs.first().copied()) {
            self.note(segment.name.at, Symbol::Def(def));
        }
        match best {
            Some(Def::Record(r)) => match self.instantiate(*r, segment) {
                Some(inst) => PathTarget::Type(Ty::new(self.db, TyKind::Record(inst))),
                None => PathTarget::Error,
            },
            Some(Def::Enum(e)) => PathTarget::Type(Ty::new(self.db, TyKind::Enum(*e))),
            Some(Def::EnumValue(e, n)) => PathTarget::EnumValue(*e, *n),
            Some(Def::Var(v)) => PathTarget::Var(None, *v),
            Some(Def::Alias(a)) => crate::types::written::alias(self, *a, None, segment),
            Some(Def::Namespace(n)) => PathTarget::Namespace(*n),
            Some(Def::Function(_)) | None if functions.is_empty() => PathTarget::Nothing(at),
            Some(Def::Function(_)) | None => PathTarget::Functions(functions),
        }
    }

    /// Returns a record with the arguments written after its name. Reports an error and returns `None` when they do
    /// not fit.
    pub fn instantiate(&mut self, record: RecordId<'db>, segment: &Segment) -> Option<RecordInst<'db>> {
        let params = crate::types::signature::record_template_params(self.db, record);
        let name = segment.name.text.as_str();
        let args =
            self.template_args(params, segment.args.as_deref(), record.item, &Env::new(), name, segment.name.at)?;
        Some(RecordInst::new(self.db, record, args))
    }

    /// Resolves the path before a segment; its errors were reported already.
    pub(super) fn around(&mut self, path: &Path, segment: usize) -> Option<PathTarget<'db>> {
        let front = path.segments.get(..segment).filter(|front| !front.is_empty())?;
        let errors = self.errors.len();
        let found = self.resolve(&Path { segments: front.to_vec(), ..path.clone() });
        self.errors.truncate(errors);
        Some(found)
    }
}
