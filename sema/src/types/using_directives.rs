//! The using-directives and using-declarations of a program, resolved once for all lookups.

use crate::db::def::{Def, Item};
use crate::db::items::items;
use crate::db::{Db, Program};
use crate::types::name_table::{NameTable, declared, lies_in, name_table, scope_as_written};
use std::collections::BTreeMap;

/// An index into [`Directives::scopes`].
type ScopeIndex = u32;

/// A scope of the program.
#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
struct Scope {
    name: String,
    /// The namespaces that `using namespace` opens in this scope, without duplicates.
    opened: Vec<ScopeIndex>,
    /// Name, then the scopes that using-declarations take it from.
    used: BTreeMap<String, Vec<ScopeIndex>>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, salsa::SalsaValue)]
pub struct Directives<'db> {
    scopes: Vec<Scope>,
    /// The scopes by their full names.
    indexes: BTreeMap<String, ScopeIndex>,
    /// Name, then the scopes that have it and that another scope opens. Names of other scopes need no walk.
    shared: BTreeMap<String, Vec<ScopeIndex>>,
    /// The first item with a directive or declaration that names a scope, by the scope's full name.
    first: BTreeMap<String, Item<'db>>,
}

impl Directives<'_> {
    /// Returns whether each name of a scope is from that scope's own text.
    pub fn is_empty(&self) -> bool {
        self.first.is_empty()
    }

    fn index(&mut self, name: &str) -> ScopeIndex {
        if let Some(index) = self.indexes.get(name) {
            return *index;
        }
        let index = self.scopes.len() as ScopeIndex;
        self.indexes.insert(name.to_string(), index);
        self.scopes.push(Scope { name: name.to_string(), opened: Vec::new(), used: BTreeMap::new() });
        index
    }
}

#[salsa::tracked(returns(ref))]
pub fn directives<'db>(db: &'db dyn Db, program: Program) -> Directives<'db> {
    let mut out = Directives::default();
    // The prelude has none. Its table would need all its pieces.
    if program == db.prelude() {
        return out;
    }
    let table = name_table(db, program);
    if table.using.is_empty() && table.used.is_empty() {
        return out;
    }
    let mut is_opened = rustc_hash::FxHashSet::default();
    // A directive that is repeated in a scope has no effect.
    let mut resolved = rustc_hash::FxHashSet::default();
    for item in items(db, program) {
        let declared = declared(db, *item);
        let named = declared.used.iter().map(|path| {
            let (scope, name) = path.rsplit_once("::").unwrap_or(("", path));
            (scope, Some(name))
        });
        for (written, name) in declared.using.iter().map(|path| (path.as_str(), None)).chain(named) {
            if !resolved.insert((item.scope(db), written, name)) {
                continue;
            }
            let Some(full) = scope_as_written(table, item.scope(db), written) else { continue };
            let (here, target) = (out.index(item.scope(db)), out.index(&full));
            let scope = &mut out.scopes[here as usize];
            match name {
                None if is_opened.insert((here, target)) => scope.opened.push(target),
                None => {}
                Some(name) => scope.used.entry(name.to_string()).or_default().push(target),
            }
            out.first.entry(full).or_insert(*item);
        }
    }
    for full in out.first.keys() {
        let index = out.indexes[full];
        let own = table.scopes.get(full).into_iter().flatten().map(|(name, _)| name);
        let used = &out.scopes[index as usize].used;
        for name in own.chain(used.keys()) {
            let scopes = out.shared.entry(name.clone()).or_default();
            if scopes.last() != Some(&index) {
                scopes.push(index);
            }
        }
    }
    out
}

/// Returns the first item of the program with a using-directive or using-declaration that names a scope.
#[salsa::tracked(returns(copy))]
pub fn first_use<'db>(db: &'db dyn Db, program: Program, scope: crate::db::def::Name<'db>) -> Option<Item<'db>> {
    directives(db, program).first.get(scope.text(db)).copied()
}

/// The names of used namespaces that the names of the scope itself hide.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hiding {
    /// All of them: the scope was named, as in `scope::name`.
    All,
    /// Names from outside the scope. `using namespace` makes them names of the scope around both ([namespace.udir]).
    Outer,
    /// None of them: another scope uses this one and sees the names of both.
    None,
}

/// A lookup of one name, which visits each scope at most once.
pub(crate) struct Lookup<'a, 'db> {
    table: &'a NameTable<'db>,
    directives: &'a Directives<'db>,
    name: &'a str,
    counts: &'a dyn Fn(&Def<'db>) -> bool,
    visited: Vec<bool>,
    /// The number of shared scopes with this name that are not visited yet.
    left: usize,
    found: Vec<Def<'db>>,
}

impl<'a, 'db> Lookup<'a, 'db> {
    /// Finds definitions in one scope and in the scopes that it uses.
    pub(crate) fn find(
        db: &'db dyn Db,
        program: Program,
        scope: &str,
        name: &'a str,
        hiding: Hiding,
        counts: &'a dyn Fn(&Def<'db>) -> bool,
    ) -> Vec<Def<'db>> {
        let (table, directives) = (name_table(db, program), directives(db, program));
        let mut lookup = Lookup { table, directives, name, counts, visited: Vec::new(), left: 0, found: Vec::new() };
        match directives.indexes.get(scope) {
            Some(index) => {
                lookup.visited = vec![false; directives.scopes.len()];
                lookup.left = directives.shared.get(name).map_or(0, Vec::len);
                lookup.visit(*index, hiding);
            }
            None => {
                lookup.own(scope);
            }
        }
        lookup.found
    }

    /// Adds the definitions of a scope's own text. Returns whether there are any.
    fn own(&mut self, scope: &str) -> bool {
        let before = self.found.len();
        let own = self.table.scopes.get(scope).and_then(|names| names.get(self.name));
        for def in own.into_iter().flatten().filter(|def| (self.counts)(def)) {
            // Only namespaces have several names.
            if !matches!(def, Def::Namespace(_)) || !self.found.contains(def) {
                self.found.push(*def);
            }
        }
        self.found.len() > before
    }

    /// Adds the definitions that a scope has or uses. Returns whether there are any.
    fn visit(&mut self, index: ScopeIndex, hiding: Hiding) -> bool {
        if std::mem::replace(&mut self.visited[index as usize], true) {
            return false;
        }
        let directives = self.directives;
        if directives.shared.get(self.name).is_some_and(|shared| shared.contains(&index)) {
            self.left -= 1;
        }
        let scope = &directives.scopes[index as usize];
        let mut has_own = self.own(&scope.name);
        for used in scope.used.get(self.name).into_iter().flatten() {
            has_own |= self.visit(*used, Hiding::All);
        }
        let mut is_found = has_own;
        for used in &scope.opened {
            if self.left == 0 {
                break;
            }
            let is_hidden = match hiding {
                Hiding::All => has_own,
                Hiding::Outer => has_own && !lies_in(&directives.scopes[*used as usize].name, &scope.name),
                Hiding::None => false,
            };
            if !is_hidden {
                let inner = if hiding == Hiding::All { Hiding::All } else { Hiding::None };
                is_found |= self.visit(*used, inner);
            }
        }
        is_found
    }
}
