//! Scopes with the names that they declare: blocks, records with their bases, namespaces.

use rustc_hash::FxHashMap;

use crate::names::Names;

/// The maximum number of aliases followed from a name.
const STEPS: usize = 16;
/// The maximum number of records searched for a member. Bases may be many, or cyclic.
const BASES: usize = 64;

/// The meaning of a name. In one scope the greater meaning hides the other: a value hides a type, and one template
/// among overloads suffices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Meaning {
    Type,
    Value,
    Template,
}

/// A declared name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<'t> {
    pub meaning: Meaning,
    /// The name of a value's type, or of an alias's target.
    pub ty: Option<&'t str>,
    /// True for a template parameter that stands for a type.
    pub is_dependent: bool,
}

type Members<'t> = FxHashMap<&'t str, Entry<'t>>;

#[derive(Default)]
struct Record<'t> {
    names: Members<'t>,
    bases: Vec<&'t str>,
}

enum ScopeKind<'t> {
    Block(Members<'t>),
    /// Parameters of a template. The name that the template declares belongs to the enclosing scope.
    Header {
        names: Members<'t>,
        is_named: bool,
    },
    Record(&'t str),
    /// A namespace with its full name; "" is the global one.
    Namespace(String),
}

struct Scope<'t> {
    /// Index of the first token after it.
    end: usize,
    kind: ScopeKind<'t>,
}

pub(super) struct Scopes<'t> {
    open: Vec<Scope<'t>>,
    records: FxHashMap<&'t str, Record<'t>>,
    namespaces: FxHashMap<String, Members<'t>>,
    /// Last names of the namespaces that using-directives open.
    used: Vec<&'t str>,
    /// Names of the members of all records: whether some is a template, and whether some is not.
    members: FxHashMap<&'t str, (bool, bool)>,
    /// Names of values and of types without parameters, in any scope.
    plain: FxHashMap<&'t str, Meaning>,
}

fn add<'t>(names: &mut Members<'t>, name: &'t str, entry: Entry<'t>) {
    let slot = names.entry(name).or_insert(entry);
    if entry.meaning >= slot.meaning {
        *slot = entry;
    }
}

impl<'t> Scopes<'t> {
    pub fn new() -> Scopes<'t> {
        let global = Scope { end: usize::MAX, kind: ScopeKind::Namespace(String::new()) };
        Scopes {
            open: vec![global],
            records: FxHashMap::default(),
            namespaces: FxHashMap::default(),
            used: Vec::new(),
            members: FxHashMap::default(),
            plain: FxHashMap::default(),
        }
    }

    /// Closes the scopes that end before the token at `index`.
    pub fn leave(&mut self, index: usize) {
        while self.open.len() > 1 && self.open.last().is_some_and(|scope| scope.end <= index) {
            self.open.pop();
        }
    }

    fn push(&mut self, end: usize, kind: ScopeKind<'t>) {
        let end = self.open.last().map_or(end, |outer| outer.end.min(end));
        self.open.push(Scope { end, kind });
    }

    pub fn open(&mut self, end: usize) {
        self.push(end, ScopeKind::Block(Members::default()));
    }

    pub fn open_header(&mut self, end: usize) {
        self.push(end, ScopeKind::Header { names: Members::default(), is_named: false });
    }

    pub fn open_record(&mut self, name: &'t str, end: usize) {
        self.records.entry(name).or_default();
        self.push(end, ScopeKind::Record(name));
    }

    pub fn open_namespace(&mut self, name: &str, end: usize) {
        let around = self.open.iter().rev().find_map(|scope| match &scope.kind {
            ScopeKind::Namespace(path) => Some(path.as_str()),
            _ => None,
        });
        let path = match around {
            Some(around) if !around.is_empty() && !name.is_empty() => format!("{around}::{name}"),
            Some(around) if name.is_empty() => around.to_string(),
            _ => name.to_string(),
        };
        self.push(end, ScopeKind::Namespace(path));
    }

    pub fn use_namespace(&mut self, name: &'t str) {
        self.used.push(name);
    }

    pub fn add_base(&mut self, record: &'t str, base: &'t str) {
        self.records.entry(record).or_default().bases.push(base);
    }

    /// Adds a member of a record before its body is read, since bodies of methods see all members.
    pub fn add_member(&mut self, record: &'t str, name: &'t str, meaning: Meaning, ty: Option<&'t str>) {
        let entry = Entry { meaning, ty, is_dependent: false };
        self.note(name, meaning);
        let seen = self.members.entry(name).or_default();
        match meaning {
            Meaning::Template => seen.0 = true,
            _ => seen.1 = true,
        }
        add(&mut self.records.entry(record).or_default().names, name, entry);
    }

    fn note(&mut self, name: &'t str, meaning: Meaning) {
        if meaning != Meaning::Template {
            let slot = self.plain.entry(name).or_insert(meaning);
            *slot = (*slot).max(meaning);
        }
    }

    /// Declares a parameter of the template whose header is open.
    pub fn declare_parameter(&mut self, name: &'t str, meaning: Meaning, ty: Option<&'t str>) {
        self.note(name, meaning);
        if let Some(Scope { kind: ScopeKind::Header { names, .. }, .. }) = self.open.last_mut() {
            add(names, name, Entry { meaning, ty, is_dependent: meaning == Meaning::Type });
        }
    }

    /// Declares a name in the innermost scope. Directly after a template header it is the name of the template.
    pub fn declare(&mut self, name: &'t str, meaning: Meaning, ty: Option<&'t str>) {
        let mut meaning = meaning;
        let mut last = self.open.len() - 1;
        while last > 0
            && let ScopeKind::Header { is_named, .. } = &mut self.open[last].kind
        {
            if !*is_named {
                *is_named = true;
                meaning = Meaning::Template;
            }
            last -= 1;
        }
        self.note(name, meaning);
        let entry = Entry { meaning, ty, is_dependent: false };
        match &mut self.open[last].kind {
            ScopeKind::Block(names) | ScopeKind::Header { names, .. } => add(names, name, entry),
            ScopeKind::Record(record) => {
                let record = *record;
                self.add_member(record, name, meaning, ty);
            }
            ScopeKind::Namespace(path) => match self.namespaces.get_mut(path.as_str()) {
                Some(names) => add(names, name, entry),
                None => add(self.namespaces.entry(path.clone()).or_default(), name, entry),
            },
        }
    }

    /// Returns the meaning of an unqualified name here.
    pub fn find(&self, name: &str) -> Option<Entry<'t>> {
        let found = self.open.iter().rev().find_map(|scope| match &scope.kind {
            ScopeKind::Block(names) | ScopeKind::Header { names, .. } => names.get(name).copied(),
            ScopeKind::Record(record) => self.in_record(record, name),
            ScopeKind::Namespace(path) => self.namespaces.get(path.as_str())?.get(name).copied(),
        });
        found.or_else(|| self.used.iter().find_map(|used| self.in_namespace(used, name)))
    }

    /// Returns the meaning of a name at global scope.
    pub fn find_global(&self, name: &str) -> Option<Meaning> {
        Some(self.namespaces.get("")?.get(name)?.meaning)
    }

    /// Returns the meaning of a member of the enclosing record.
    pub fn find_own(&self, name: &str) -> Option<Meaning> {
        let own = self.open.iter().rev().find_map(|scope| match scope.kind {
            ScopeKind::Record(record) => Some(record),
            _ => None,
        });
        Some(self.in_record(own?, name)?.meaning)
    }

    /// Returns the meaning of a name in the record, enum or namespace called `scope`.
    pub fn find_in(&self, scope: &str, name: &str) -> Option<Meaning> {
        let mut scope = scope;
        for _ in 0..STEPS {
            if let Some(entry) = self.in_record(scope, name) {
                return Some(entry.meaning);
            }
            match self.find(scope) {
                // C++ treats a name that depends on a parameter as a value, unless `template` precedes it.
                Some(Entry { is_dependent: true, .. }) => return Some(Meaning::Value),
                Some(Entry { meaning: Meaning::Type, ty: Some(ty), .. }) if ty != scope => scope = ty,
                _ => break,
            }
        }
        Some(self.in_namespace(scope, name)?.meaning)
    }

    /// Returns the member of a record, otherwise of its nearest base.
    fn in_record(&self, record: &str, name: &str) -> Option<Entry<'t>> {
        let mut asked = vec![self.records.get(record)?];
        let mut next = 0;
        while let Some(record) = asked.get(next).copied() {
            if let Some(entry) = record.names.get(name) {
                return Some(*entry);
            }
            let bases = record.bases.iter().filter_map(|base| self.records.get(base));
            asked.extend(bases.take(BASES - asked.len()));
            next += 1;
        }
        None
    }

    fn in_namespace(&self, scope: &str, name: &str) -> Option<Entry<'t>> {
        let is_named = |path: &str| path.rsplit("::").next() == Some(scope);
        let mut found =
            self.namespaces.iter().filter(|(path, _)| is_named(path)).filter_map(|(_, names)| names.get(name));
        let first = *found.next()?;
        // Several namespaces may end in this name. A template in any of them counts as one.
        Some(found.fold(first, |best, entry| if entry.meaning > best.meaning { *entry } else { best }))
    }

    /// Returns whether some record has a member template of this name, and whether some has another member of this
    /// name.
    pub fn members_named(&self, name: &str) -> (bool, bool) {
        self.members.get(name).copied().unwrap_or_default()
    }

    /// Returns names of values and types that are also those of types, templates, or members of built-in templates.
    pub fn hiding(&self, own: &Names, prelude: &Names) -> impl Iterator<Item = &'t str> {
        let hides = move |(name, meaning): &(&&'t str, &Meaning)| {
            own.is_template(name)
                || **meaning == Meaning::Value && (own.is_type(name) || prelude.is_type(name))
                || self.members.contains_key(**name) && prelude.is_template(name)
        };
        let names: Vec<&'t str> = self.plain.iter().filter(hides).map(|(name, _)| *name).collect();
        names.into_iter()
    }
}
