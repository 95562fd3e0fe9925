//! Declarations that translation units of a program repeat and share: resources, constant buffers, push constants.
//!
//! They are one symbol while they have the same name and type, so a rename changes all of them. This includes the
//! members of buffers and the structures in them.

use super::symbols::{SymbolId, symbol_id};
use rustc_hash::{FxHashMap, FxHashSet};
use wgc_sema::db::def::{Def, SourcePlace, VarId};
use wgc_sema::db::items::item_tree;
use wgc_sema::db::ty::{GenericArg, RecordInst, Ty, TyKind};
use wgc_sema::db::units;
use wgc_sema::db::{Db, Program};
use wgc_sema::link::bindings::wanted;
use wgc_sema::link::joint_bindings::{joint, push_constants};
use wgc_sema::types::blocks::{self, loose};
use wgc_sema::types::globals::{cbuffer, global};
use wgc_sema::types::name_uses::Symbol;
use wgc_sema::types::record::record;

/// Returns, for each resource of each translation unit, its number in the program. Shared resources have the same
/// number.
pub fn joint_resources(db: &dyn Db, program: Program) -> &[Vec<usize>] {
    &joint(db, program).of
}

/// Returns pairs of symbols with a name that units of a program share, although each declares its own.
pub(super) fn joined_by_units(db: &dyn Db, program: Program, name: &str) -> Vec<Vec<SymbolId>> {
    let pairs = shared(db, program).iter();
    let ids = pairs.filter_map(|(a, b)| Some([symbol_id(db, a)?, symbol_id(db, b)?]));
    ids.filter(|[a, b]| a.name == name && b.name == name && a != b).map(Vec::from).collect()
}

/// Returns pairs of shared symbols: the first declaration, and another one.
#[salsa::tracked(returns(ref))]
fn shared<'db>(db: &'db dyn Db, program: Program) -> Vec<(Symbol<'db>, Symbol<'db>)> {
    let mut shared = Shared { db, pairs: Vec::new(), records: FxHashSet::default() };
    let mut first: FxHashMap<usize, (Program, SourcePlace<'db>)> = FxHashMap::default();
    for (unit, of) in units(db, program).into_iter().zip(&joint(db, program).of) {
        for (one, index) in wanted(db, unit).iter().zip(of) {
            let (other, place) = *first.entry(*index).or_insert((unit, one.place));
            if other == unit {
                continue;
            }
            if one.symbol == blocks::GLOBALS {
                loose(db, other).iter().zip(loose(db, unit)).for_each(|(a, b)| shared.variables(*a, *b));
            } else {
                shared.resources(place, one.place);
            }
        }
    }
    if let Some((one, others)) = push_constants(db, program).split_first() {
        others.iter().for_each(|other| shared.variables(*one, *other));
    }
    shared.pairs
}

struct Shared<'db> {
    db: &'db dyn Db,
    pairs: Vec<(Symbol<'db>, Symbol<'db>)>,
    /// The pairs already visited.
    records: FxHashSet<(RecordInst<'db>, RecordInst<'db>)>,
}

impl<'db> Shared<'db> {
    fn pair(&mut self, a: Symbol<'db>, b: Symbol<'db>) {
        self.pairs.push((a, b));
    }

    /// Pairs constant buffers with their members, and other resources, by their declarations.
    fn resources(&mut self, a: SourcePlace<'db>, b: SourcePlace<'db>) {
        if let Some(buffer) = cbuffer(self.db, a.item).as_ref().filter(|buffer| buffer.place == a)
            && let Some(other) = cbuffer(self.db, b.item)
        {
            self.pair(Symbol::Buffer(a), Symbol::Buffer(b));
            for (one, other) in buffer.members.iter().zip(&other.members) {
                self.declared(one.place, other.place);
            }
        } else {
            self.declared(a, b);
        }
    }

    fn declared(&mut self, a: SourcePlace<'db>, b: SourcePlace<'db>) {
        if let (Some(a), Some(b)) = (var_at(self.db, a), var_at(self.db, b)) {
            self.variables(a, b);
        }
    }

    fn variables(&mut self, a: VarId<'db>, b: VarId<'db>) {
        self.pair(Symbol::Def(Def::Var(a)), Symbol::Def(Def::Var(b)));
        if let (Some(a), Some(b)) = (global(self.db, a, None), global(self.db, b, None)) {
            self.types(a.ty, b.ty);
        }
    }

    fn types(&mut self, a: Ty<'db>, b: Ty<'db>) {
        match (a.kind(self.db), b.kind(self.db)) {
            (TyKind::Array(a, _), TyKind::Array(b, _)) => self.types(*a, *b),
            (TyKind::Record(a), TyKind::Record(b)) => self.records(*a, *b),
            _ => {}
        }
    }

    /// Pairs structures with their bases and fields, and the type arguments of built-in objects.
    fn records(&mut self, a: RecordInst<'db>, b: RecordInst<'db>) {
        let db = self.db;
        if !self.records.insert((a, b)) {
            return;
        }
        for arguments in a.args(db).iter().zip(b.args(db)) {
            if let (GenericArg::Ty(a), GenericArg::Ty(b)) = arguments {
                self.types(*a, *b);
            }
        }
        let (one, other) = (record(db, a), record(db, b));
        if one.builtin.is_some() {
            return;
        }
        let named = |inst: RecordInst<'db>| Symbol::Def(Def::Record(inst.record(db)));
        self.pair(named(a), named(b));
        for (base, other) in one.bases.iter().zip(&other.bases) {
            self.records(*base, *other);
        }
        for (field, other) in one.fields.iter().zip(&other.fields) {
            let symbol = |owner, place, ty| Symbol::Field { place, owner, ty };
            self.pair(symbol(a, field.place, field.ty), symbol(b, other.place, other.ty));
            for (bits, other) in field.bits.iter().zip(&other.bits) {
                self.pair(symbol(a, bits.place, bits.ty), symbol(b, other.place, other.ty));
            }
            self.types(field.ty, other.ty);
        }
    }
}

/// Returns the variable with its name at a location.
fn var_at<'db>(db: &'db dyn Db, place: SourcePlace<'db>) -> Option<VarId<'db>> {
    let vars = (0..item_tree(db, place.item).decls.vars.len() as u32).map(|index| VarId { item: place.item, index });
    vars.into_iter().find(|var| global(db, *var, None).is_some_and(|global| global.place == place))
}
