//! The values of a mesh node's vertices and primitives, by their semantics, and their locations.
//!
//! Locations are those of DXC. Vertices and primitives get consecutive ones in the order of the parameters and their
//! contents, unless every value has its own (`[[vk::location(n)]]`). Clip and cull distances are in the order of
//! their semantics' numbers. [`crate::types::mesh_outputs`] checks semantics and types.

use crate::db::Db;
use crate::db::def::SourcePlace;
use crate::db::diagnostic::Diagnostic;
use crate::db::ty::{Repr, Ty, TyKind};
use crate::tables::codes::Code;
use crate::types::cx::Cx;
use crate::types::layout::ir_type;
use crate::types::record::record;
use crate::types::signature::Param;
use wgc_frontend::ast::Attribute;
use wgc_ir::mesh::{distances, locations};
use wgc_ir::{Interpolation, MeshArray, MeshSlot, MeshValue};

/// An output array of a mesh node.
#[derive(Clone, Copy)]
pub struct Array<'a, 'db> {
    pub array: MeshArray,
    pub element: Ty<'db>,
    /// The parameter's semantic.
    pub semantic: Option<&'a str>,
    pub interpolation: Interpolation,
    pub slot: Option<Slot>,
    pub place: SourcePlace<'db>,
}

impl<'a, 'db> Array<'a, 'db> {
    /// Creates an array from a parameter with elements of this type.
    pub fn of(param: &'a Param<'db>, array: MeshArray, element: Ty<'db>) -> Array<'a, 'db> {
        let semantic = param.semantic.as_ref().map(|(name, _)| name.as_str());
        let interpolation = interpolation(param.modifiers.iter().map(String::as_str));
        Array { array, element, semantic, interpolation, slot: param.slot, place: param.place }
    }
}

/// Returns the interpolation that the modifiers of a declaration request.
pub fn interpolation<'a>(words: impl Iterator<Item = &'a str>) -> Interpolation {
    let mut out = Interpolation::default();
    for word in words {
        match word {
            "nointerpolation" => out.flat = true,
            "noperspective" => out.no_perspective = true,
            "centroid" => out.centroid = true,
            "sample" => out.sample = true,
            _ => {}
        }
    }
    out
}

/// The location attribute of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Slot {
    /// `[[vk::location(n)]]`
    Location(u32),
    /// `[[vk::NAME]]`, which has no effect on outputs of a mesh node.
    Foreign(&'static str),
}

/// DXC's attributes for other properties than a location.
const FOREIGN: &[&str] = &["builtin", "index"];

/// Returns the location attribute of a field or a parameter.
pub(crate) fn slot(cx: &mut Cx<'_, '_>, attributes: &[&Attribute]) -> Option<Slot> {
    let is_there = |name: &&&str| attributes.iter().any(|a| crate::types::attributes::is_vulkan(a, name));
    if let Some(name) = FOREIGN.iter().find(is_there) {
        return Some(Slot::Foreign(name));
    }
    location(cx, attributes).map(Slot::Location)
}

fn location(cx: &mut Cx<'_, '_>, attributes: &[&Attribute]) -> Option<u32> {
    let attribute = attributes.iter().find(|a| crate::types::attributes::is_vulkan(a, "location"))?;
    let number = match attribute.args.as_deref() {
        Some([only]) => cx.int(*only).and_then(|n| u32::try_from(n).ok()),
        _ => None,
    };
    if number.is_none() {
        cx.error(Code::AttributeArguments, attribute.span, "`vk::location` expects a location number");
    }
    number
}

/// Returns the values of each array. The diagnostics explain why locations cannot be assigned.
pub fn values<'db>(db: &'db dyn Db, arrays: &[Array<'_, 'db>]) -> (Vec<Vec<MeshValue>>, Vec<Diagnostic<'db>>) {
    let (mut found, mut errors) = (Vec::new(), Vec::new());
    for (n, array) in arrays.iter().enumerate().filter(|(_, array)| array.array != MeshArray::Indices) {
        let mut walk = Walk { db, array: n, path: Vec::new(), found: &mut found, errors: &mut errors };
        let mut given = array.semantic.map(Semantic::new);
        let Array { element: ty, interpolation, slot, place, .. } = *array;
        walk.value(given.as_mut(), Declared { ty, interpolation, slot, place });
    }
    errors.extend(give_locations(&mut found));
    for clips in [true, false] {
        let is_one = |slot: MeshSlot| match slot {
            MeshSlot::ClipDistance(_) => clips,
            MeshSlot::CullDistance(_) => !clips,
            _ => false,
        };
        let mut those: Vec<&mut UnplacedValue> = found.iter_mut().filter(|value| is_one(value.value.slot)).collect();
        those.sort_by_key(|value| value.index);
        let mut first = 0;
        for value in those {
            value.value.slot = if clips { MeshSlot::ClipDistance(first) } else { MeshSlot::CullDistance(first) };
            first += value.distances;
        }
    }
    let mut all = vec![Vec::new(); arrays.len()];
    found.into_iter().for_each(|value| all[value.array].push(value.value));
    (all, errors)
}

/// A value, before all values are known.
struct UnplacedValue<'db> {
    /// The array that contains it.
    array: usize,
    value: MeshValue,
    /// The number in its semantic.
    index: u32,
    locations: u32,
    distances: u32,
    /// The explicit location.
    location: Option<u32>,
    place: SourcePlace<'db>,
}

/// A name and the number of the value.
struct Semantic {
    name: String,
    index: u32,
}

impl Semantic {
    fn new(text: &str) -> Semantic {
        let name = text.trim_end_matches(|c: char| c.is_ascii_digit());
        Semantic { name: name.to_owned(), index: text[name.len()..].parse().unwrap_or(0) }
    }

    fn shown(&self) -> String {
        if self.index == 0 { self.name.clone() } else { format!("{}{}", self.name, self.index) }
    }

    /// Returns the slot; locations are assigned later.
    fn slot(&self) -> MeshSlot {
        match self.name.to_ascii_lowercase().as_str() {
            "sv_position" => MeshSlot::Position,
            "sv_clipdistance" => MeshSlot::ClipDistance(0),
            "sv_culldistance" => MeshSlot::CullDistance(0),
            "sv_rendertargetarrayindex" => MeshSlot::Layer,
            "sv_viewportarrayindex" => MeshSlot::Viewport,
            "sv_shadingrate" => MeshSlot::ShadingRate,
            "sv_primitiveid" => MeshSlot::PrimitiveId,
            "sv_cullprimitive" => MeshSlot::Cull,
            _ => MeshSlot::Location(0),
        }
    }
}

/// A declaration of one or more values.
#[derive(Clone, Copy)]
struct Declared<'db> {
    ty: Ty<'db>,
    /// Its own, or that of the enclosing declaration.
    interpolation: Interpolation,
    slot: Option<Slot>,
    place: SourcePlace<'db>,
}

struct Walk<'f, 'db> {
    db: &'db dyn Db,
    array: usize,
    path: Vec<u32>,
    found: &'f mut Vec<UnplacedValue<'db>>,
    errors: &'f mut Vec<Diagnostic<'db>>,
}

impl<'db> Walk<'_, 'db> {
    fn value(&mut self, semantic: Option<&mut Semantic>, declared: Declared<'db>) {
        let db = self.db;
        let TyKind::Record(inst) = declared.ty.kind(db) else { return self.leaf(semantic, declared) };
        let mut given = semantic;
        for (n, field) in (0u32..).zip(&record(db, *inst).fields) {
            let says_nothing = field.interpolation == Interpolation::default();
            let interpolation = if says_nothing { declared.interpolation } else { field.interpolation };
            let inner = Declared { ty: field.ty, interpolation, slot: field.slot, place: field.place };
            self.path.push(n);
            match field.semantic.as_ref().map(|(name, _)| Semantic::new(name)) {
                Some(mut semantic) => self.value(Some(&mut semantic), inner),
                None => self.value(given.as_deref_mut(), inner),
            }
            self.path.pop();
        }
    }

    /// Adds one variable: a number, or an array whose elements may be structures.
    fn leaf(&mut self, semantic: Option<&mut Semantic>, declared: Declared<'db>) {
        let Declared { ty, interpolation: around, slot: declared_slot, place } = declared;
        let Ok(layout) = ir_type(self.db, ty) else { return };
        let Some(locations) = locations(&layout) else { return };
        let mut inner = self.first_semantic(ty);
        let Some(semantic) = semantic.or(inner.as_mut()) else { return };
        let location = match declared_slot {
            Some(Slot::Location(location)) => Some(location),
            Some(Slot::Foreign(name)) => {
                let message = format!("wgc does not support `vk::{name}` on mesh outputs yet");
                self.errors.push(Diagnostic::new(Code::MeshSemantic, place, message));
                None
            }
            None => None,
        };
        let slot = semantic.slot();
        let is_integer = self.is_integer(ty);
        if is_integer && (around.no_perspective || around.centroid || around.sample) {
            let message = format!("`{}` contains integers, which cannot be interpolated", semantic.shown());
            let wrong = Diagnostic::new(Code::MeshSemantic, place, message);
            self.errors.push(wrong.note("`nointerpolation` is the only modifier for integers, and the default"));
        }
        let flat = around.flat || is_integer;
        let interpolation = if matches!(slot, MeshSlot::Location(_)) {
            Interpolation { flat, ..around }
        } else {
            Interpolation::default()
        };
        let value = MeshValue { semantic: semantic.shown().into(), path: self.path.clone(), slot, interpolation };
        let (index, distances) = (semantic.index, distances(&layout).unwrap_or(0));
        semantic.index = semantic.index.wrapping_add(locations);
        self.found.push(UnplacedValue { array: self.array, value, index, locations, distances, location, place });
    }

    /// Returns the first semantic in an array of structures.
    fn first_semantic(&self, ty: Ty<'db>) -> Option<Semantic> {
        match ty.kind(self.db) {
            TyKind::Array(element, Some(_)) => self.first_semantic(*element),
            TyKind::Record(inst) => record(self.db, *inst).fields.iter().find_map(|field| match &field.semantic {
                Some((name, _)) => Some(Semantic::new(name)),
                None => self.first_semantic(field.ty),
            }),
            _ => None,
        }
    }

    fn is_integer(&self, ty: Ty<'db>) -> bool {
        let floats = |repr: Repr| matches!(repr, Repr::F16 | Repr::F32 | Repr::F64);
        match ty.kind(self.db) {
            TyKind::Scalar(s) | TyKind::Vector(s, _) => !floats(s.repr()),
            TyKind::Matrix { scalar, .. } => !floats(scalar.repr()),
            TyKind::Enum(_) => true,
            TyKind::Array(element, _) => self.is_integer(*element),
            TyKind::Record(inst) => record(self.db, *inst).fields.iter().all(|f| self.is_integer(f.ty)),
            _ => false,
        }
    }
}

fn give_locations<'db>(found: &mut [UnplacedValue<'db>]) -> Vec<Diagnostic<'db>> {
    let mut open: Vec<&mut UnplacedValue> =
        found.iter_mut().filter(|v| matches!(v.value.slot, MeshSlot::Location(_))).collect();
    let given = open.iter().filter(|value| value.location.is_some()).count();
    if given == 0 {
        let mut next = 0u32;
        for value in open {
            value.value.slot = MeshSlot::Location(next);
            next = next.saturating_add(value.locations);
        }
        return Vec::new();
    }
    let mut errors = Vec::new();
    if let Some(missing) = open.iter().find(|value| value.location.is_none()) {
        let message = format!("`{}` has no location, but other values have one", missing.value.semantic);
        let mut partial = Diagnostic::new(Code::MeshSemantic, missing.place, message)
            .note("add `[[vk::location(n)]]` to all values of a mesh, or to none");
        if let Some(other) = open.iter().find(|value| value.location.is_some()) {
            partial = partial.also(other.place, "this one has a location");
        }
        return vec![partial];
    }
    let mut taken: Vec<(u32, u32, SourcePlace<'db>)> = Vec::new();
    for value in &mut open {
        let first = value.location.unwrap_or(0);
        let end = first.saturating_add(value.locations);
        if let Some((_, _, other)) = taken.iter().find(|(from, to, _)| first < *to && *from < end) {
            let message = format!("`{}` has the location of another value", value.value.semantic);
            let wrong = Diagnostic::new(Code::MeshSemantic, value.place, message);
            let shown = if value.locations == 1 {
                format!("it uses location {first}")
            } else {
                format!("it uses locations {first} to {}", end - 1)
            };
            errors.push(wrong.also(*other, "the other value").note(shown));
        }
        taken.push((first, end, value.place));
        value.value.slot = MeshSlot::Location(first);
    }
    errors
}
