//! Converts the files of a program to items: preprocess, cut, parse.
//!
//! [`unit`] changes with every edit. Only [`items`], positions and the diagnostics of the front end read it. [`items`]
//! use no positions, so an edit has no further effect on items with the same tokens as before.

use crate::db::def::{BodySource, BodyText, EnumId, FnId, Item, RecordId, Shared, VarId};
use crate::db::item_texts::{ItemText, Key};
use crate::db::reuse::{Change, LastUnit, Piece, ReadFile, Slices};
use crate::db::{Db, Options, Program, SourceFile, header_path, is_built_in, normalize};
use crate::tables::decls::{self, Decls};
use compact_str::{CompactString, ToCompactString};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::path::Path;
use std::sync::Arc;
use wgc_frontend::ast::{self, Ast, ItemId, StmtId};
use wgc_frontend::diagnostic::{Error, FileId, SyntaxError};
use wgc_frontend::preprocess::{Includes, Options as UnitOptions, Pragma, Stage, Unit};
use wgc_frontend::slice::ItemSlice;
use wgc_frontend::token::Token;
use wgc_frontend::{Names, parse};

/// Tokens without positions, shared between the slices and the inputs of parsing.
pub type Tokens = Shared<Vec<Token>>;

/// A preprocessed program, with the meaning of its file numbers.
#[derive(Debug)]
pub struct ProgramUnit {
    pub unit: Arc<Unit>,
    /// The files by [`FileId`]; the roots come first.
    pub files: Vec<SourceFile>,
    /// The change from the previous unit, if this one was derived from it.
    pub(crate) change: Option<Change>,
}

impl ProgramUnit {
    /// Returns whether it was derived from the unit before an edit.
    pub fn is_edited(&self) -> bool {
        self.change.is_some()
    }
}

/// Numbers files in the order in which the preprocessor reaches them.
struct Files<'db> {
    db: &'db dyn Db,
    include_dirs: &'db [String],
    virtual_dirs: &'db [(String, String)],
    include_roots: &'db [String],
    known: RefCell<Vec<SourceFile>>,
    looked_for: RefCell<Vec<(SourceFile, bool)>>,
    read: RefCell<Vec<ReadFile>>,
}

impl Files<'_> {
    fn id(&self, file: SourceFile) -> FileId {
        let mut known = self.known.borrow_mut();
        let index = known.iter().position(|f| *f == file).unwrap_or_else(|| {
            known.push(file);
            known.len() - 1
        });
        FileId(index as u32)
    }

    fn file(&self, id: FileId) -> Option<SourceFile> {
        self.known.borrow().get(id.0 as usize).copied()
    }

    /// Returns the paths that a name may mean, in the order of the search. The first existing one is used.
    fn candidates(&self, open: &[FileId], name: &str, angled: bool) -> Vec<String> {
        let beside = |file: &FileId| {
            let path = self.file(*file)?.path(self.db);
            Some(path.rsplit_once('/').map_or("", |(dir, _)| dir))
        };
        let dirs = self.include_dirs.iter().map(String::as_str);
        // Like DXC: `"name"` also searches the directories of all files that include this one. `<name>` searches the
        // file's own directory, but last.
        let mut order: Vec<&str> = if angled {
            dirs.chain(open.first().and_then(beside)).collect()
        } else {
            open.iter().filter_map(beside).chain(dirs).collect()
        };
        let mut seen = FxHashSet::default();
        order.retain(|dir| seen.insert(*dir));
        let mapped = self.virtual_dirs.iter().filter_map(|(from, to)| {
            let rest = name.strip_prefix(from.trim_end_matches('/'))?;
            rest.starts_with('/').then(|| format!("{to}{rest}"))
        });
        let absolute = name.starts_with('/').then(|| name.to_string());
        let candidates =
            order.iter().map(|dir| if dir.is_empty() { name.to_string() } else { format!("{dir}/{name}") });
        mapped.chain(absolute).chain(candidates).map(|path| normalize(&path)).collect()
    }
}

/// Returns whether an included file may be read: it is in one of the folders, or there are none.
fn is_within(db: &dyn Db, file: SourceFile, roots: &[String]) -> bool {
    let path = Path::new(file.standing(db).real.as_deref().unwrap_or_else(|| file.path(db)));
    roots.is_empty() || is_built_in(file.path(db)) || roots.iter().any(|root| path.starts_with(root))
}

/// Returns whether an `#include` finds a file.
pub(crate) fn is_found(db: &dyn Db, file: SourceFile, roots: &[String]) -> bool {
    file.exists(db) && is_within(db, file, roots)
}

impl Includes for Files<'_> {
    fn resolve(&self, open: &[FileId], name: &str, angled: bool) -> Option<FileId> {
        let found = self.candidates(open, name, angled).into_iter().find_map(|path| {
            let file = self.db.file(&path);
            let is_there = is_found(self.db, file, self.include_roots);
            self.looked_for.borrow_mut().push((file, is_there));
            is_there.then(|| self.id(file))
        });
        // A file of the program takes precedence over a built-in header of the same name.
        found.or_else(|| {
            let ours = wgc_stdlib::HEADERS.iter().any(|(header, _)| *header == name);
            ours.then(|| self.id(self.db.file(&header_path(name))))
        })
    }

    fn refusal(&self, open: &[FileId], name: &str, angled: bool) -> Option<CompactString> {
        let files = self.candidates(open, name, angled).into_iter().map(|path| self.db.file(&path));
        let mut files = files.filter(|file| is_within(self.db, *file, self.include_roots));
        files.find_map(|file| file.standing(self.db).refusal.as_deref().map(CompactString::from))
    }

    fn text(&self, number: FileId) -> Arc<[u8]> {
        let Some(file) = self.file(number) else { return Arc::default() };
        let text = file.text(self.db);
        self.read.borrow_mut().push(ReadFile { number, file, text: text.clone() });
        text
    }

    fn path(&self, file: FileId) -> CompactString {
        self.file(file).map_or_else(CompactString::default, |f| f.path(self.db).to_compact_string())
    }
}

/// Preprocesses the program into one stream of tokens.
#[salsa::tracked(returns(ref), no_eq)]
pub fn unit(db: &dyn Db, program: Program) -> ProgramUnit {
    let options = program.options(db);
    let prelude = db.prelude();
    // The prelude as a whole declares its own template names, like a program.
    let own = Names::default();
    let names = if program == prelude { &own } else { crate::db::prelude::template_names(db, prelude) };
    if let Some(edited) = db.memory().edited_unit(db, program, names) {
        return edited;
    }
    let Options { include_dirs, virtual_dirs, include_roots, .. } = options;
    let (known, looked_for, read) = Default::default();
    let files = Files { db, include_dirs, virtual_dirs, include_roots, known, looked_for, read };
    let roots: Vec<FileId> = program.roots(db).iter().map(|root| files.id(*root)).collect();
    let defaults = UnitOptions::default();
    let unit_options = UnitOptions {
        stage: if options.compute_entry.is_some() { Stage::Compute } else { Stage::Library },
        shader_model: options.shader_model.unwrap_or(defaults.shader_model),
        spirv_version: options.spirv_version.unwrap_or(defaults.spirv_version),
        defines: options.defines.iter().map(|(n, v)| (n.to_compact_string(), v.to_compact_string())).collect(),
        hlsl_version: options.hlsl_version.unwrap_or(defaults.hlsl_version),
        native_16bit: options.enable_16bit_types,
    };
    let unit = Arc::new(wgc_frontend::unit(&files, &roots, &unit_options, names));
    let Files { known, looked_for, read, .. } = files;
    let files = known.into_inner();
    if program != prelude {
        let (options, roots) = (options.clone(), program.roots(db).clone());
        let (looked_for, read) = (looked_for.into_inner(), read.into_inner());
        let last = LastUnit { options, roots, looked_for, read, unit: unit.clone(), files: files.clone() };
        db.memory().keep_unit(program, last);
    }
    ProgramUnit { unit, files, change: None }
}

/// Returns the items of a program. Their tokens are cut outside the queries, see [`crate::db::item_texts`].
#[salsa::tracked(returns(ref))]
pub fn items<'db>(db: &'db dyn Db, program: Program) -> Vec<Item<'db>> {
    if program == db.prelude() {
        return crate::db::prelude::items(db, program);
    }
    let Some(text) = db.texts().of(program) else {
        // Without an input the empty list would pass for unchanged, and readers of the list would keep items that are gone.
        db.report_untracked_read();
        return Vec::new();
    };
    let item = |text: &ItemText| {
        let Key { scope, name, nth } = text.key(db);
        let bodies = text.bodies(db).iter().map(|body| BodySource::Input(*body));
        let head = text.head(db).clone();
        new_item(db, program, None, (scope, name, *nth), text.row_major(db), head, bodies)
    };
    text.items(db).iter().map(item).collect()
}

/// Slices, compared by address.
#[derive(Clone, Debug)]
pub(crate) struct ByAddress(pub Arc<Slices>);

impl PartialEq for ByAddress {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// Cuts the unit into slices. Their origins move with every edit.
#[salsa::tracked(returns(ref), no_eq)]
pub(crate) fn slices(db: &dyn Db, program: Program) -> ByAddress {
    let unit = unit(db, program);
    ByAddress(db.memory().slices(program, unit, || cut(unit, program.options(db).row_major)))
}

fn cut(whole: &ProgramUnit, mut row_major: bool) -> Slices {
    let mut seen: FxHashMap<(String, CompactString), u32> = FxHashMap::default();
    let unit = &whole.unit;
    let (slices, errors) = wgc_frontend::slice(unit);
    // Slices come in the order of the text, and so do pragmas.
    let mut pragmas = unit.pragmas.iter().peekable();
    let mut pieces = Vec::with_capacity(slices.len());
    let mut origins = Vec::with_capacity(slices.len());
    for mut slice in slices {
        // Names in an unnamed namespace are visible in the enclosing scope.
        let named: Vec<&str> = slice.scope.iter().map(|name| name.as_str()).filter(|name| !name.is_empty()).collect();
        let scope = named.join("::");
        let counter = seen.entry((scope.clone(), slice.name.clone())).or_insert(0);
        let nth = *counter;
        *counter += 1;
        let start = slice.head_origins.first().copied().unwrap_or(0);
        while let Some((_, pragma)) = pragmas.next_if(|(at, _)| *at <= start) {
            if let Pragma::PackMatrix { row_major: order } = pragma {
                row_major = *order;
            }
        }
        origins.push(Origins::take(&mut slice));
        pieces.push(Arc::new(Piece::new(scope, nth, row_major, slice)));
    }
    Slices::new(whole, pieces, (origins, errors))
}

/// Creates an item from its parts.
pub(crate) fn new_item<'db>(
    db: &'db dyn Db,
    program: Program,
    around: Option<crate::db::def::LocalTypeContext<'db>>,
    (scope, name, nth): (&str, &str, u32),
    row_major: bool,
    head: Tokens,
    bodies: impl Iterator<Item = BodySource>,
) -> Item<'db> {
    let (scope, name) = (scope.to_owned(), name.to_owned());
    let body = |(body, i)| BodyText::new(db, program, scope.clone(), name.clone(), nth, i, body);
    let bodies = bodies.zip(0..).map(body).collect();
    Item::new(db, program, scope.clone(), name.clone(), nth, row_major, around, head, bodies)
}

/// Creates an item that owns its tokens; no input has them.
pub(crate) fn own_item<'db>(
    db: &'db dyn Db,
    program: Program,
    around: Option<crate::db::def::LocalTypeContext<'db>>,
    piece: Piece,
) -> Item<'db> {
    let Piece { scope, name, nth, row_major, head, bodies } = piece;
    new_item(db, program, around, (&scope, &name, nth), row_major, head, bodies.into_iter().map(BodySource::Own))
}

/// The unit token indexes of an item's tokens. Only for rendering locations; no decision depends on them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origins {
    pub head: Vec<u32>,
    pub bodies: Vec<Vec<u32>>,
    /// The last token of each body: its `}`, unless that is missing.
    pub ends: Vec<u32>,
}

impl Origins {
    pub(crate) fn take(slice: &mut ItemSlice) -> Origins {
        let ends = slice.bodies.iter().map(|body| body.braces.1).collect();
        let bodies = slice.bodies.iter_mut().map(|body| std::mem::take(&mut body.origins)).collect();
        Origins { head: std::mem::take(&mut slice.head_origins), bodies, ends }
    }
}

/// Returns the origins of all items of a program, parallel to [`items`], and the errors about braces.
pub fn item_origins(db: &dyn Db, program: Program) -> &(Vec<Origins>, Vec<Error>) {
    &slices(db, program).0.origins
}

/// Returns the index of each item in its program.
#[salsa::tracked(returns(ref))]
fn numbers<'db>(db: &'db dyn Db, program: Program) -> FxHashMap<Item<'db>, usize> {
    items(db, program).iter().enumerate().map(|(number, item)| (*item, number)).collect()
}

/// Returns the index of an item in its program; `None` for a type inside a function.
pub fn number<'db>(db: &'db dyn Db, item: Item<'db>) -> Option<usize> {
    numbers(db, item.program(db)).get(&item).copied()
}

/// Returns the origins of an item's tokens, and the unit that they index. For a type inside a function, pass the item
/// around it instead.
pub fn origins<'db>(db: &'db dyn Db, item: Item<'db>) -> Option<(&'db ProgramUnit, &'db Origins)> {
    let program = item.program(db);
    if program == db.prelude() {
        return crate::db::prelude::origins(db, item);
    }
    let number = *numbers(db, program).get(&item)?;
    Some((unit(db, program), item_origins(db, program).0.get(number)?))
}

/// The head of an item as a tree, with its declarations numbered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemTree {
    pub ast: Ast,
    pub root: ItemId,
    pub decls: Decls,
    pub errors: Vec<SyntaxError>,
}

/// Parses the head. Trees are not compared. Queries that read parts of them are, and so they stop the spread of an
/// edit.
#[salsa::tracked(returns(ref), no_eq, lru = 1024)]
pub fn item_tree<'db>(db: &'db dyn Db, item: Item<'db>) -> ItemTree {
    let parsed = parse::parse_item(item.head(db));
    let decls = decls::index(&parsed.ast, parsed.root);
    ItemTree { ast: parsed.ast, root: parsed.root, decls, errors: parsed.errors }
}

/// A function body as a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BodyTree {
    pub ast: Ast,
    pub root: Vec<StmtId>,
    pub errors: Vec<SyntaxError>,
}

#[salsa::tracked(returns(ref), no_eq, lru = 1024)]
fn parse_body<'db>(db: &'db dyn Db, body: BodyText<'db>) -> BodyTree {
    let parsed = parse::parse_body(body.tokens(db));
    BodyTree { ast: parsed.ast, root: parsed.root, errors: parsed.errors }
}

/// Returns the n-th body of an item (`ast::Body::Sliced(n)`).
pub fn body_tree<'db>(db: &'db dyn Db, item: Item<'db>, n: u32) -> Option<&'db BodyTree> {
    Some(parse_body(db, *item.bodies(db).get(n as usize)?))
}

/// The node of a declaration, found by its ID.
#[derive(Clone, Copy)]
pub struct FnNode<'db> {
    pub tree: &'db ItemTree,
    pub decl: &'db decls::FnDecl,
    pub item: &'db ast::Item,
    pub function: &'db ast::Function,
}

/// Returns the node of a function; `None` only when the ID is older than the text.
pub fn fn_node<'db>(db: &'db dyn Db, f: FnId<'db>) -> Option<FnNode<'db>> {
    let tree = item_tree(db, f.item);
    let decl = tree.decls.functions.get(f.index as usize)?;
    let item = &tree.ast.items[decl.item];
    let ast::ItemKind::Function(function) = &item.kind else { return None };
    Some(FnNode { tree, decl, item, function })
}

#[derive(Clone, Copy)]
pub struct RecordNode<'db> {
    pub tree: &'db ItemTree,
    pub decl: &'db decls::RecordDecl,
    pub item: &'db ast::Item,
    pub record: &'db ast::Record,
}

pub fn record_node<'db>(db: &'db dyn Db, r: RecordId<'db>) -> Option<RecordNode<'db>> {
    let tree = item_tree(db, r.item);
    let decl = tree.decls.records.get(r.index as usize)?;
    let ast::TypeKind::Record(record) = &tree.ast.types[decl.ty].kind else { return None };
    Some(RecordNode { tree, decl, item: &tree.ast.items[decl.item], record })
}

#[derive(Clone, Copy)]
pub struct EnumNode<'db> {
    pub tree: &'db ItemTree,
    pub decl: &'db decls::EnumDecl,
    pub def: &'db ast::EnumDef,
}

pub fn enum_node<'db>(db: &'db dyn Db, e: EnumId<'db>) -> Option<EnumNode<'db>> {
    let tree = item_tree(db, e.item);
    let decl = tree.decls.enums.get(e.index as usize)?;
    let ast::TypeKind::Enum(def) = &tree.ast.types[decl.ty].kind else { return None };
    Some(EnumNode { tree, decl, def })
}

#[derive(Clone, Copy)]
pub struct VarNode<'db> {
    pub tree: &'db ItemTree,
    pub decl: &'db decls::VarDecl,
    pub item: &'db ast::Item,
    pub ty: ast::TypeId,
    pub declarator: &'db ast::Declarator,
}

pub fn var_node<'db>(db: &'db dyn Db, v: VarId<'db>) -> Option<VarNode<'db>> {
    let tree = item_tree(db, v.item);
    let decl = tree.decls.vars.get(v.index as usize)?;
    let item = &tree.ast.items[decl.item];
    let ast::ItemKind::Var(var) = &item.kind else { return None };
    let declarator = var.vars.get(decl.declarator as usize)?;
    Some(VarNode { tree, decl, item, ty: var.ty, declarator })
}

/// Returns all functions and methods of a program, templates included, in the order of the text.
pub fn functions<'db>(db: &'db dyn Db, program: Program) -> Vec<FnId<'db>> {
    let of_item = |item: &Item<'db>| function_ids(db, *item).to_vec();
    items(db, program).iter().flat_map(of_item).collect()
}

/// Returns the file number and the offset of a unit token. A token from a macro has the location of the outermost
/// macro.
pub(crate) fn range_of_token(program: &ProgramUnit, token: u32) -> (u32, u32) {
    let place = program.unit.origins.get(token as usize).map(|at| program.unit.place(*at));
    place.map_or((0, 0), |place| (place.file.0, place.lo))
}

pub(crate) fn is_harm(error: &SyntaxError) -> bool {
    !error.code.is_warning() && !error.harmless
}

/// Returns the functions of one item. The result changes only when an edit of the head adds or removes one.
#[salsa::tracked(returns(ref))]
fn function_ids<'db>(db: &'db dyn Db, item: Item<'db>) -> Vec<FnId<'db>> {
    (0..item_tree(db, item).decls.functions.len() as u32).map(|index| FnId { item, index }).collect()
}
