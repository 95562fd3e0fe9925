//! Results from the text before the last edit, so that the cost of an edit depends on its size. They are kept outside
//! the queries, which cannot see their previous results. A reused result equals the one that a query would compute
//! anew, and both read the same inputs. Only the last unit of each program and its slices are kept.

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use rustc_hash::FxHashMap;
use wgc_frontend::diagnostic::{Error, FileId};
use wgc_frontend::preprocess::{Edited, Unit, edited};
use wgc_frontend::{Names, slice::ItemSlice};

use crate::db::items::{Origins, ProgramUnit, Tokens, is_found};
use crate::db::{Db, Options, Program, SourceFile};

/// The last unit of each program, and its slices.
#[derive(Default)]
pub struct Memory {
    units: Mutex<FxHashMap<Program, Arc<LastUnit>>>,
    slices: Mutex<FxHashMap<Program, Arc<Slices>>>,
}

/// A unit with all inputs that it depends on.
pub(crate) struct LastUnit {
    pub options: Options,
    pub roots: Vec<SourceFile>,
    /// Files that were looked for, and whether they existed.
    pub looked_for: Vec<(SourceFile, bool)>,
    pub read: Vec<ReadFile>,
    pub unit: Arc<Unit>,
    pub files: Vec<SourceFile>,
}

/// A file that a unit contains, with its number there.
#[derive(Clone)]
pub(crate) struct ReadFile {
    pub number: FileId,
    pub file: SourceFile,
    pub text: Arc<[u8]>,
}

/// The difference between a unit and the previous one.
#[derive(Debug)]
pub(crate) struct Change {
    from: Weak<Unit>,
    /// The replaced tokens of the previous unit; `new` is the number of tokens in their place.
    old: Range<usize>,
    new: usize,
}

impl Memory {
    pub(crate) fn keep_unit(&self, program: Program, last: LastUnit) {
        self.units.lock().unwrap_or_else(PoisonError::into_inner).insert(program, Arc::new(last));
    }

    /// Returns the current unit, derived from the previous one. `None` if anything but the text of one file changed,
    /// or if that change is too large to follow.
    pub(crate) fn edited_unit(&self, db: &dyn Db, program: Program, template_names: &Names) -> Option<ProgramUnit> {
        let last = self.units.lock().unwrap_or_else(PoisonError::into_inner).get(&program)?.clone();
        let roots = &program.options(db).include_roots;
        let as_before = last.options == *program.options(db)
            && last.roots == *program.roots(db)
            && last.looked_for.iter().all(|(file, was_there)| is_found(db, *file, roots) == *was_there);
        if !as_before {
            return None;
        }
        let now = last.read.iter().map(|read| ReadFile { text: read.file.text(db), ..read.clone() });
        let now: Vec<ReadFile> = now.collect();
        let is_other = |(old, new): &(&ReadFile, &ReadFile)| !Arc::ptr_eq(&old.text, &new.text) && old.text != new.text;
        let mut others = last.read.iter().zip(&now).filter(is_other);
        let (before, after) = others.next()?;
        if others.next().is_some() {
            return None;
        }
        let Edited { unit, old, new } = edited(&last.unit, before.number, &before.text, &after.text, template_names)?;
        let unit = Arc::new(unit);
        let change = Change { from: Arc::downgrade(&last.unit), old, new };
        let (options, roots, looked_for) = (last.options.clone(), last.roots.clone(), last.looked_for.clone());
        let files = last.files.clone();
        self.keep_unit(
            program,
            LastUnit { options, roots, looked_for, read: now, unit: unit.clone(), files: files.clone() },
        );
        Some(ProgramUnit { unit, files, change: Some(change) })
    }

    /// Returns the slices of a unit; reuses the previous ones if only one body changed.
    pub(crate) fn slices(&self, program: Program, unit: &ProgramUnit, cut: impl FnOnce() -> Slices) -> Arc<Slices> {
        let last = self.slices.lock().unwrap_or_else(PoisonError::into_inner).get(&program).cloned();
        let slices = Arc::new(last.and_then(|last| last.after(unit)).unwrap_or_else(cut));
        self.slices.lock().unwrap_or_else(PoisonError::into_inner).insert(program, slices.clone());
        slices
    }
}

/// A cut unit: pieces without positions, and origins that move with every edit.
#[derive(Debug)]
pub(crate) struct Slices {
    of: Arc<Unit>,
    pub pieces: Vec<Arc<Piece>>,
    /// The origins, parallel to the pieces, and the errors about braces.
    pub origins: (Vec<Origins>, Vec<Error>),
}

/// The contents of an item.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    pub scope: String,
    pub name: String,
    pub nth: u32,
    pub row_major: bool,
    pub head: Tokens,
    pub bodies: Vec<Tokens>,
}

impl Piece {
    pub fn new(scope: String, nth: u32, row_major: bool, slice: ItemSlice) -> Piece {
        let bodies = slice.bodies.into_iter().map(|body| Tokens::new(body.tokens)).collect();
        Piece { scope, name: slice.name.to_string(), nth, row_major, head: Tokens::new(slice.head), bodies }
    }

    /// Returns whether both belong to the same item.
    pub fn is_called(&self, other: &Piece) -> bool {
        self.nth == other.nth && self.name == other.name && self.scope == other.scope
    }
}

impl Slices {
    pub fn new(unit: &ProgramUnit, pieces: Vec<Arc<Piece>>, origins: (Vec<Origins>, Vec<Error>)) -> Slices {
        Slices { of: unit.unit.clone(), pieces, origins }
    }

    /// Derives the slices of the next unit. A change within a body with balanced brackets does not affect the cut.
    fn after(&self, unit: &ProgramUnit) -> Option<Slices> {
        let Change { from, old, new } = unit.change.as_ref()?;
        if !std::ptr::eq(from.as_ptr(), Arc::as_ptr(&self.of)) || !self.origins.1.is_empty() {
            return None;
        }
        let (item, n) = self.body_around(old)?;
        let moved = |at: u32| if at as usize >= old.end { (at as usize + new - old.len()) as u32 } else { at };
        let moved_all = |all: &Vec<u32>| all.iter().map(|at| moved(*at)).collect::<Vec<_>>();
        let origins = self.origins.0.iter().map(|origins| Origins {
            head: moved_all(&origins.head),
            bodies: origins.bodies.iter().map(moved_all).collect(),
            ends: moved_all(&origins.ends),
        });
        let mut origins: Vec<Origins> = origins.collect();
        let mut pieces = self.pieces.clone();
        // Tokens inserted before the first token of the body belong to the body.
        let body = *self.origins.0[item].bodies[n].first()?..origins[item].ends[n];
        let tokens = unit.unit.tokens.get(body.start as usize..body.end as usize)?.to_vec();
        Arc::make_mut(&mut pieces[item]).bodies[n] = Tokens::new(tokens);
        origins[item].bodies[n] = body.collect();
        Some(Slices { of: unit.unit.clone(), pieces, origins: (origins, Vec::new()) })
    }

    /// Returns the item and the index of the body that contain these tokens of the unit.
    fn body_around(&self, tokens: &Range<usize>) -> Option<(usize, usize)> {
        let is_around = |(first, end): (&Vec<u32>, &u32)| {
            first.first().is_some_and(|first| (*first as usize) <= tokens.start) && tokens.end <= *end as usize
        };
        let mut items = self.origins.0.iter().enumerate();
        items.find_map(|(item, origins)| Some((item, origins.bodies.iter().zip(&origins.ends).position(is_around)?)))
    }
}
