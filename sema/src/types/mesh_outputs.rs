//! Outputs of a mesh node for the rasteriser: the values of a vertex or primitive by their semantics, and their
//! limits. See MeshShader.md, "Shared Output Arrays", "Signature Linkage", "Mesh shader output size limits".

use crate::db::Db;
use crate::db::def::SourcePlace;
use crate::db::diagnostic::Diagnostic;
use crate::db::ty::{Repr, Ty, TyKind};
use crate::tables::codes::Code;
use crate::tables::similar_names::closest;
use crate::types::cx::Cx;
use crate::types::record::record;
use crate::types::signature::Param;
use wgc_ir::MeshArray;

/// The limit of elements in each array.
pub const MAX_ELEMENTS: u32 = 256;
/// The limit of rows (four components each) for all values of a vertex and a primitive.
pub const MAX_ROWS: u64 = 32;
/// The limit for all vertices and primitives of a group, in bytes.
pub const MAX_BYTES: u64 = 32_768;
/// The number of elements is rounded up to a multiple of this.
const STEP: u64 = 32;
/// The limit of values of one element that are checked; far fewer fit in [`MAX_ROWS`].
const MAX_VALUES: usize = 1024;
/// The limit of nested structures that are checked; deeper ones were reported already.
const MAX_DEPTH: u32 = 64;

/// The types that a system value may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fits {
    Float4,
    /// One to four components, also as an array.
    Floats,
    Uint,
    UintOrBool,
}

impl Fits {
    fn words(self) -> &'static str {
        match self {
            Fits::Float4 => "`float4`",
            Fits::Floats => "`float`, `float2`, `float3` or `float4`",
            Fits::Uint => "`uint`",
            Fits::UintOrBool => "`bool` or `uint`",
        }
    }

    fn takes<'db>(self, db: &'db dyn Db, ty: Ty<'db>) -> bool {
        match (self, ty.kind(db)) {
            (Fits::Float4, TyKind::Vector(s, 4)) => s.repr() == Repr::F32,
            (Fits::Floats, TyKind::Scalar(s) | TyKind::Vector(s, _)) => s.repr() == Repr::F32,
            (Fits::Uint, TyKind::Scalar(s)) => s.repr() == Repr::U32,
            (Fits::UintOrBool, TyKind::Scalar(s)) => matches!(s.repr(), Repr::U32 | Repr::Bool),
            _ => false,
        }
    }
}

/// A system value for the rasteriser.
struct MeshOutputRow {
    name: &'static str,
    /// The array whose elements have it.
    of: MeshArray,
    fits: Fits,
    /// It occupies rows.
    is_packed: bool,
}

const fn row(name: &'static str, of: MeshArray, fits: Fits) -> MeshOutputRow {
    MeshOutputRow { name, of, fits, is_packed: true }
}

const TABLE: &[MeshOutputRow] = &[
    row("SV_Position", MeshArray::Vertices, Fits::Float4),
    row("SV_ClipDistance", MeshArray::Vertices, Fits::Floats),
    row("SV_CullDistance", MeshArray::Vertices, Fits::Floats),
    row("SV_RenderTargetArrayIndex", MeshArray::Primitives, Fits::Uint),
    row("SV_ViewportArrayIndex", MeshArray::Primitives, Fits::Uint),
    row("SV_ShadingRate", MeshArray::Primitives, Fits::Uint),
    row("SV_PrimitiveID", MeshArray::Primitives, Fits::Uint),
    MeshOutputRow { is_packed: false, ..row("SV_CullPrimitive", MeshArray::Primitives, Fits::UintOrBool) },
];

/// Returns the system values that a mesh node may output, each with its array.
pub fn names() -> impl Iterator<Item = (&'static str, &'static str)> {
    TABLE.iter().map(|row| (row.name, if row.of == MeshArray::Vertices { "vertices" } else { "primitives" }))
}

pub const ARRAYS: [MeshArray; 3] = [MeshArray::Indices, MeshArray::Vertices, MeshArray::Primitives];

/// Returns the array that a parameter is, by its modifiers.
pub fn array_of(param: &Param) -> Option<MeshArray> {
    ARRAYS.into_iter().find(|array| param.has(word(*array)))
}

/// Returns the modifier that makes a parameter this array.
pub fn word(array: MeshArray) -> &'static str {
    match array {
        MeshArray::Indices => "indices",
        MeshArray::Vertices => "vertices",
        MeshArray::Primitives => "primitives",
    }
}

/// The size of the values of one vertex or primitive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct OutputSize {
    /// Components, of 4 bytes each.
    pub scalars: u64,
    /// The smallest number of rows that holds them.
    pub rows: u64,
}

impl OutputSize {
    /// Returns the size of `elements` elements in bytes.
    pub fn bytes(self, elements: u32) -> u64 {
        self.scalars * 4 * u64::from(elements).next_multiple_of(STEP)
    }
}

/// Checks the values of an element of `vertices` or `primitives`, and returns their size.
pub(crate) fn check<'db>(
    cx: &mut Cx<'_, 'db>,
    array: MeshArray,
    element: Ty<'db>,
    param: &Param<'db>,
) -> Option<OutputSize> {
    let mut walk =
        Walk { cx, array, seen: Vec::new(), taken: OutputSize::default(), tallest: 0, arrays: 0, is_whole: true };
    let semantic = param.semantic.as_ref().map(|(name, at)| (name.as_str(), *at));
    let mut given = semantic.map(|(name, at)| Semantic::new(name, at));
    walk.value(element, given.as_mut(), param.place, param, 0);
    let Walk { seen, mut taken, tallest, is_whole, .. } = walk;
    taken.rows = taken.scalars.div_ceil(4).max(tallest);
    if !is_whole {
        return None;
    }
    if array == MeshArray::Vertices && !seen.iter().any(|s| s.name.eq_ignore_ascii_case("SV_Position")) {
        let message = format!("the vertices of `{}` have no position", param.name);
        let mut missing = Diagnostic::new(Code::MeshSemantic, param.place, message);
        missing = match element.as_record(cx.db) {
            Some(inst) => {
                let place = record(cx.db, inst).place;
                missing.also(place, "add a field such as `float4 position : SV_Position` here")
            }
            None => missing.note("use a structure with a field such as `float4 position : SV_Position`"),
        };
        cx.errors.push(missing);
        return None;
    }
    Some(taken)
}

/// A name and the number of the value: `COLOR1` is the second of `COLOR`.
#[derive(Clone)]
struct Semantic<'db> {
    name: String,
    index: u32,
    at: SourcePlace<'db>,
}

impl<'db> Semantic<'db> {
    fn new(text: &str, at: SourcePlace<'db>) -> Semantic<'db> {
        let name = text.trim_end_matches(|c: char| c.is_ascii_digit());
        let index = text[name.len()..].parse().unwrap_or(0);
        Semantic { name: name.to_owned(), index, at }
    }

    fn shown(&self) -> String {
        if self.index == 0 { self.name.clone() } else { format!("{}{}", self.name, self.index) }
    }
}

struct Walk<'c, 'a, 'db> {
    cx: &'c mut Cx<'a, 'db>,
    array: MeshArray,
    seen: Vec<Semantic<'db>>,
    taken: OutputSize,
    /// The number of rows of the tallest value.
    tallest: u64,
    /// The number of enclosing arrays of structures.
    arrays: u32,
    /// No error was found.
    is_whole: bool,
}

impl<'db> Walk<'_, '_, 'db> {
    fn wrong(&mut self, diagnostic: Diagnostic<'db>) {
        self.is_whole = false;
        // One structure may be the element of arrays in several nodes.
        if !self.cx.errors.contains(&diagnostic) {
            self.cx.errors.push(diagnostic);
        }
    }

    /// Adds a value and its semantic. The semantic's number grows by the value's rows.
    fn value(
        &mut self,
        ty: Ty<'db>,
        semantic: Option<&mut Semantic<'db>>,
        place: SourcePlace<'db>,
        param: &Param<'db>,
        depth: u32,
    ) {
        let db = self.cx.db;
        match ty.kind(db) {
            TyKind::Error => self.is_whole = false,
            // There are too many values already.
            _ if self.seen.len() > MAX_VALUES => {}
            TyKind::Record(inst) if record(db, *inst).builtin.is_none() && depth < MAX_DEPTH => {
                let mut given = semantic;
                for field in &record(db, *inst).fields {
                    match &field.semantic {
                        Some((name, at)) => {
                            let mut own = Semantic::new(name, *at);
                            self.value(field.ty, Some(&mut own), field.place, param, depth + 1);
                        }
                        None => self.value(field.ty, given.as_deref_mut(), field.place, param, depth + 1),
                    }
                }
                if record(db, *inst).fields.is_empty() {
                    self.no_value(ty, place, param);
                }
            }
            TyKind::Array(element, Some(n)) if is_number(db, *element) => {
                self.numbers(ty, *element, *n, semantic, place, param)
            }
            TyKind::Array(element, Some(n)) => {
                let mut given = semantic;
                self.arrays += 1;
                // Each element has its own number.
                for _ in 0..(*n).min(MAX_ELEMENTS) {
                    self.value(*element, given.as_deref_mut(), place, param, depth + 1);
                    if !self.is_whole || self.seen.len() > MAX_VALUES {
                        break;
                    }
                }
                self.arrays -= 1;
            }
            _ if is_number(db, ty) => self.numbers(ty, ty, 1, semantic, place, param),
            _ => self.no_value(ty, place, param),
        }
    }

    fn no_value(&mut self, ty: Ty<'db>, place: SourcePlace<'db>, param: &Param<'db>) {
        let message = format!("a mesh cannot output a `{}`", ty.display(self.cx.db));
        let mut wrong = Diagnostic::new(Code::MeshSemantic, place, message)
            .note("use numbers, vectors, matrices and arrays of them, or structures with such fields");
        if place != param.place {
            wrong = wrong.also(param.place, "mesh output");
        }
        self.wrong(wrong);
    }

    /// Adds `count` scalars, vectors or matrices.
    fn numbers(
        &mut self,
        whole: Ty<'db>,
        ty: Ty<'db>,
        count: u32,
        semantic: Option<&mut Semantic<'db>>,
        place: SourcePlace<'db>,
        param: &Param<'db>,
    ) {
        let db = self.cx.db;
        let Some(semantic) = semantic else {
            let message = "this value needs a semantic, so that a pixel shader can read it";
            let mut missing = Diagnostic::new(Code::MeshSemantic, place, message);
            if place != param.place {
                missing = missing.also(param.place, "mesh output");
            }
            self.wrong(missing);
            return;
        };
        let (rows, columns) = shape(db, ty);
        let rows = rows * u64::from(count);
        let system = semantic.name.to_ascii_lowercase().starts_with("sv_");
        let mut is_packed = true;
        if system {
            match self.system_value(whole, semantic, place, param) {
                Some(packed) => is_packed = packed,
                None => return,
            }
        }
        if is_packed {
            self.taken.scalars += rows * columns;
            self.tallest = self.tallest.max(rows);
        }
        for _ in 0..rows.min(u64::from(MAX_ELEMENTS)) {
            let other = |s: &&Semantic| s.name.eq_ignore_ascii_case(&semantic.name) && s.index == semantic.index;
            if let Some(other) = self.seen.iter().find(other).cloned() {
                let message = format!("duplicate semantic `{}` in one element", semantic.shown());
                let wrong = Diagnostic::new(Code::MeshSemantic, semantic.at, message);
                self.wrong(if other.at == semantic.at { wrong } else { wrong.also(other.at, "the first one") });
                return;
            }
            self.seen.push(semantic.clone());
            semantic.index = semantic.index.wrapping_add(1);
        }
    }

    /// Returns whether a system value occupies rows; `None` when it is wrong here.
    fn system_value(
        &mut self,
        ty: Ty<'db>,
        semantic: &Semantic<'db>,
        place: SourcePlace<'db>,
        param: &Param<'db>,
    ) -> Option<bool> {
        let db = self.cx.db;
        let Some(row) = TABLE.iter().find(|row| row.name.eq_ignore_ascii_case(&semantic.name)) else {
            let message = format!("a mesh cannot output `{}`", semantic.name);
            let names: Vec<_> = TABLE.iter().filter(|row| row.of == self.array).map(|row| row.name).collect();
            let mut unknown = Diagnostic::new(Code::MeshSemantic, semantic.at, message).note(format!(
                "system values of `{}`: {}",
                word(self.array),
                names.join(", ")
            ));
            if let Some(meant) = closest(&semantic.name, names) {
                unknown = unknown.meant(semantic.at, meant);
            }
            self.wrong(unknown);
            return None;
        };
        if self.arrays > 0 {
            let message = format!("`{}` is inside an array of structures", row.name);
            let wrong = Diagnostic::new(Code::MeshSemantic, semantic.at, message)
                .note("a vertex or primitive has one such value, without an index");
            self.wrong(wrong.also(param.place, "mesh output"));
            return None;
        }
        if row.of != self.array {
            let message = format!("`{}` belongs to `{}`, not to `{}`", row.name, word(row.of), word(self.array));
            self.wrong(Diagnostic::new(Code::MeshSemantic, semantic.at, message).also(param.place, "mesh output"));
            return None;
        }
        let element = match ty.kind(db) {
            TyKind::Array(element, _) if row.fits == Fits::Floats => *element,
            _ => ty,
        };
        if !row.fits.takes(db, element) {
            let message = format!("`{}` must be {}, not `{}`", row.name, row.fits.words(), ty.display(db));
            self.wrong(Diagnostic::new(Code::MeshSemantic, place, message));
            return None;
        }
        Some(row.is_packed)
    }
}

fn is_number<'db>(db: &'db dyn Db, ty: Ty<'db>) -> bool {
    matches!(ty.kind(db), TyKind::Scalar(_) | TyKind::Vector(..) | TyKind::Matrix { .. } | TyKind::Enum(_))
}

/// Returns rows, and components of each; a 64-bit number takes two components.
fn shape<'db>(db: &'db dyn Db, ty: Ty<'db>) -> (u64, u64) {
    let wide = |repr: Repr| if matches!(repr, Repr::F64 | Repr::I64 | Repr::U64) { 2 } else { 1 };
    match ty.kind(db) {
        TyKind::Scalar(s) => (1, wide(s.repr())),
        TyKind::Vector(s, n) => (1, wide(s.repr()) * u64::from(*n)),
        TyKind::Matrix { scalar, rows, columns, row_major } => {
            let (rows, columns) = if *row_major { (*rows, *columns) } else { (*columns, *rows) };
            (u64::from(rows), wide(scalar.repr()) * u64::from(columns))
        }
        _ => (1, 1),
    }
}
