//! Structures of resources that the host sets. Each resource in one, or array of them, is a separate global, named
//! `x.map` or `x[1].maps`. The structure is a value that is built from them.
//!
//! `register(t0)` numbers the parts of its class from there on, `[[vk::binding(n)]]` all parts. Each array element
//! counts, as in DXC.

use crate::db::Db;
use crate::db::ty::{Ty, TyKind};
use crate::tables::builtin::Builtin;
use crate::tables::codes::Code;
use crate::types::cx::Cx;
use crate::types::extent::{MAX_DEPTH, MAX_PARTS, extent};
use crate::types::globals::{DeclaredBinding, Register, descriptor_count, element, register};
use crate::types::record::{builtin, record};
use std::collections::{BTreeMap, BTreeSet};
use wgc_frontend::ast::{Annotation, Span};
use wgc_ir::Count;

/// The limit of parts in one variable; no host binds more.
pub(crate) const MAX_RESOURCES: usize = 4096;

/// A resource in a structure, or an array of them.
#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub struct Part<'db> {
    /// The text after the variable's name: `.map`, `[1].maps`.
    pub name: String,
    /// Indexes of fields, those of all bases first, and of array elements.
    pub path: Vec<u32>,
    pub ty: Ty<'db>,
    pub object: Builtin,
    pub binding: DeclaredBinding,
}

impl<'db> Part<'db> {
    /// Returns the number of resources.
    pub fn count(&self, db: &'db dyn Db) -> u32 {
        match descriptor_count(db, self.ty) {
            Some(Count::Array(n)) => n,
            _ => 1,
        }
    }
}

/// The reason why a type cannot be split into resources.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NotParts {
    /// Something in it is not a resource, or it has no resources.
    Mixed,
    /// An array has no length.
    Open,
    TooMany,
}

/// Returns the parts of a structure that has only resources, or of an array of them, in order and without bindings.
pub(crate) fn parts<'db>(db: &'db dyn Db, ty: Ty<'db>) -> Result<Vec<Part<'db>>, NotParts> {
    let whole = extent(db, ty);
    if whole.depth > MAX_DEPTH || whole.parts > MAX_PARTS {
        return Err(NotParts::Mixed);
    }
    let mut walk = Walk { db, path: Vec::new(), names: BTreeSet::new(), parts: Vec::new() };
    walk.add(ty, "")?;
    if walk.parts.is_empty() { Err(NotParts::Mixed) } else { Ok(walk.parts) }
}

struct Walk<'db> {
    db: &'db dyn Db,
    path: Vec<u32>,
    names: BTreeSet<String>,
    parts: Vec<Part<'db>>,
}

impl<'db> Walk<'db> {
    fn add(&mut self, ty: Ty<'db>, name: &str) -> Result<(), NotParts> {
        if let Some(object) = builtin(self.db, element(self.db, ty)) {
            if !object.is_resource() {
                return Err(NotParts::Mixed);
            }
            if !matches!(descriptor_count(self.db, ty), Some(Count::One | Count::Array(_))) {
                return Err(NotParts::Open);
            }
            if self.parts.len() == MAX_RESOURCES {
                return Err(NotParts::TooMany);
            }
            // A structure may have a field with the name of a field in its base.
            let mut unique = name.to_string();
            while !self.names.insert(unique.clone()) {
                unique.push('\'');
            }
            let (path, binding) = (self.path.clone(), DeclaredBinding::default());
            self.parts.push(Part { name: unique, path, ty, object, binding });
            return Ok(());
        }
        match ty.kind(self.db) {
            TyKind::Array(inner, Some(n)) => {
                for i in 0..*n {
                    self.inside(i, *inner, &format!("{name}[{i}]"))?;
                }
                Ok(())
            }
            TyKind::Record(inst) => {
                let decl = record(self.db, *inst);
                for (i, field) in decl.fields.iter().enumerate() {
                    self.inside(i as u32, field.ty, &format!("{name}.{}", field.name))?;
                }
                if decl.complete { Ok(()) } else { Err(NotParts::Mixed) }
            }
            TyKind::Array(_, None) => Err(NotParts::Open),
            _ => Err(NotParts::Mixed),
        }
    }

    fn inside(&mut self, index: u32, ty: Ty<'db>, name: &str) -> Result<(), NotParts> {
        self.path.push(index);
        let done = self.add(ty, name);
        self.path.pop();
        done
    }
}

/// Gives the parts their explicit bindings: the registers of several classes, or the binding in `whole` for all.
pub(crate) fn place<'db>(
    cx: &mut Cx<'_, 'db>,
    parts: &mut [Part<'db>],
    annotations: &[Annotation],
    whole: DeclaredBinding,
    name: &str,
) {
    let mut registers: BTreeMap<char, (u32, u32)> = BTreeMap::new();
    let mut space = None;
    for annotation in annotations {
        let Annotation::Register(args, span) = annotation else { continue };
        match register(cx, args, *span, None, name) {
            Some(Register::Number((class, number, set))) => {
                check_class(cx, parts, class, *span, name);
                if registers.insert(class, (number, set)).is_some() {
                    cx.error(Code::BadRegister, *span, format!("duplicate register `{class}..` of `{name}`"));
                }
            }
            Some(Register::Space(number)) => space = Some(number),
            None => {}
        }
    }
    let mut before: BTreeMap<Option<char>, u32> = BTreeMap::new();
    let mut all = 0u32;
    for part in parts {
        let (class, count) = (part.object.register_class(), part.count(cx.db));
        let of_class = before.entry(class).or_default();
        part.binding.vulkan = whole.vulkan.map(|(binding, set)| (binding.saturating_add(all), set));
        part.binding.register = class.and_then(|class| {
            let (number, set) = registers.get(&class)?;
            Some((class, number.saturating_add(*of_class), *set))
        });
        part.binding.space = space;
        *of_class = of_class.saturating_add(count);
        all = all.saturating_add(count);
    }
}

fn check_class<'db>(cx: &mut Cx<'_, 'db>, parts: &[Part<'db>], class: char, span: Span, name: &str) {
    if !parts.iter().any(|part| part.object.register_class() == Some(class)) {
        cx.error(Code::BadRegister, span, format!("`{name}` contains no resource for a register `{class}..`"));
    }
}
