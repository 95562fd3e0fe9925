//! The parts of a program that syntax errors make unreliable. The parser repairs errors by guesses. Diagnostics about
//! names and types in a guess, or about an incomplete graph, would only hide the real mistake.
//!
//! An item is in doubt if it has an error outside its bodies, or if it names something that an item in doubt may
//! declare. An error in a body affects only that body. A missing file affects the whole translation unit.

use crate::db::def::{Item, Name, SourcePlace};
use crate::db::diagnostic::Diagnostic;
use crate::db::items::is_harm;
use crate::db::items::{body_tree, item_origins, item_tree, items, unit};
use crate::db::units;
use crate::db::{Db, Program};
use crate::types::name_table::name_table;
use crate::types::names::lookup;
use rustc_hash::{FxHashMap, FxHashSet};
use wgc_frontend::diagnostic::ErrorCode;
use wgc_frontend::token::{Sym, Token, TokenKind};

#[derive(Default)]
pub(crate) struct UnreliableSyntax<'db> {
    /// Units in which the start of items or the meaning of names is unknown.
    units: FxHashSet<Program>,
    items: FxHashSet<Item<'db>>,
    bodies: FxHashSet<(Item<'db>, u32)>,
}

impl<'db> UnreliableSyntax<'db> {
    pub fn of(db: &'db dyn Db, program: Program) -> UnreliableSyntax<'db> {
        let mut unreliable = UnreliableSyntax::default();
        for unit in units(db, program) {
            unreliable.unit(db, unit);
        }
        unreliable
    }

    fn unit(&mut self, db: &'db dyn Db, unit: Program) {
        if item_origins(db, unit).1.iter().any(|e| !e.code.is_warning()) || lacks_a_file(db, unit) {
            self.units.insert(unit);
        }
        let mut broken = Vec::new();
        for item in items(db, unit) {
            if item_tree(db, *item).errors.iter().any(is_harm) {
                broken.push(*item);
            }
            for n in 0..item.bodies(db).len() as u32 {
                if body_tree(db, *item, n).is_some_and(|b| b.errors.iter().any(is_harm)) {
                    self.bodies.insert((*item, n));
                }
            }
        }
        // The names that it brings into scope are unknown.
        let opens = |token: &Token| matches!(token.kind, TokenKind::Sym(Sym::Using | Sym::Namespace | Sym::Import));
        if broken.iter().any(|item| item.head(db).iter().any(opens)) {
            self.units.insert(unit);
        }
        if !broken.is_empty() && !self.units.contains(&unit) {
            self.spread(db, unit, &broken);
        }
    }

    /// Adds the items and bodies that name broken items, transitively.
    fn spread(&mut self, db: &'db dyn Db, unit: Program, broken: &[Item<'db>]) {
        let mut declared: FxHashMap<Item<'db>, Vec<&str>> = FxHashMap::default();
        for (name, defs) in name_table(db, unit).scopes.values().flatten() {
            for item in defs.iter().filter_map(|def| def.item()) {
                declared.entry(item).or_default().push(name);
            }
        }
        let mut names: FxHashSet<&str> = FxHashSet::default();
        let mut next = broken.to_vec();
        while !next.is_empty() {
            for item in next.drain(..) {
                self.items.insert(item);
                names.insert(item.name(db));
                names.extend(declared.get(&item).into_iter().flatten());
                if broken.contains(&item) {
                    names.extend(loose(db, unit, item));
                }
            }
            names.remove("");
            let sound = items(db, unit).iter().filter(|item| !self.items.contains(*item));
            next.extend(sound.filter(|item| mentions(item.head(db), &names)));
        }
        for item in items(db, unit) {
            let bodies = item.bodies(db).iter().zip(0..);
            self.bodies.extend(bodies.filter(|(body, _)| mentions(body.tokens(db), &names)).map(|(_, n)| (*item, n)));
        }
    }

    pub fn is_none(&self) -> bool {
        self.units.is_empty() && self.items.is_empty() && self.bodies.is_empty()
    }

    pub fn hides(&self, diagnostic: &Diagnostic<'db>, db: &'db dyn Db) -> bool {
        // A host's file has no syntax in doubt, but it may refer to functions in doubt.
        let Some(place) = diagnostic.primary.place.text() else { return !self.is_none() };
        let place = crate::types::local_types::in_program(db, place);
        let in_body = |place: SourcePlace<'db>| place.body.is_some_and(|n| self.bodies.contains(&(place.item, n)));
        self.units.contains(&place.item.program(db))
            || in_body(place)
            || self.items.contains(&place.item)
            || diagnostic.secondary.iter().filter_map(|l| l.place.text()).any(|at| self.items.contains(&at.item))
    }
}

/// Returns whether an included file was not found, or its name is incomplete. Then any name of the unit may be
/// declared there.
pub(crate) fn lacks_a_file(db: &dyn Db, program: Program) -> bool {
    let is_lacking = |code: ErrorCode| matches!(code, ErrorCode::IncludeNotFound | ErrorCode::MalformedInclude);
    unit(db, program).unit.errors.iter().any(|e| is_lacking(e.code))
}

fn mentions(tokens: &[Token], names: &FxHashSet<&str>) -> bool {
    tokens.iter().any(|token| token.kind == TokenKind::Ident && names.contains(token.text.as_str()))
}

/// Returns the undeclared names in a broken item; the repaired tree has lost their declarations. Parameters and
/// members do not count, because other items cannot name them.
fn loose<'db>(db: &'db dyn Db, unit: Program, item: Item<'db>) -> Vec<&'db str> {
    let tokens: &[Token] = item.head(db);
    let gives_members = |token: &Token| matches!(token.kind, TokenKind::Sym(Sym::Enum | Sym::CBuffer | Sym::TBuffer));
    let all = tokens.iter().any(gives_members);
    let mut depth = 0usize;
    let mut found = Vec::new();
    for token in tokens {
        match token.kind {
            TokenKind::Sym(Sym::LParen | Sym::LBrace | Sym::LBracket)
            | TokenKind::CastOpen
            | TokenKind::TemplateOpen => depth += 1,
            TokenKind::Sym(Sym::RParen | Sym::RBrace | Sym::RBracket) | TokenKind::TemplateClose => {
                depth = depth.saturating_sub(1);
            }
            TokenKind::Ident if all || depth == 0 => found.push(token.text.as_str()),
            _ => {}
        }
    }
    found.retain(|name| {
        let [scope, text] = [item.scope(db), name].map(|text| Name::new(db, text.to_string()));
        !wgc_frontend::is_builtin_type(name) && lookup(db, unit, scope, text).is_empty()
    });
    found
}
