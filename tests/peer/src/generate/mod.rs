//! Programs generated from seeds: valid, and with fully defined results.
//!
//! `expr`, `stmt` and `decl` build a [`Tree`], which prints as HLSL and can be reduced. Floats are multiples of small
//! powers of two of limited size, so that no operation rounds in any order. To test rounding, the program uses
//! `precise`, or stores the result of one rounded operation directly, with a tolerance.

mod call;
mod decl;
mod expr;
mod float;
mod integer;
mod operand;
#[path = "../../../support/random.rs"]
mod random;
mod stmt;
mod tolerance;
pub mod tree;
pub mod types;

use random::Random;
use stmt::Inside;
use tree::{Role, Tree, tree};
use types::{Enum, Function, Scalar as S, Struct, Ty};

/// The binding of the buffer of sample points.
pub const MARKS: u32 = 9;

/// Parts of the language that can be disabled, by their names in `WGC_PEER_WITHOUT`.
#[derive(Clone, Debug)]
pub struct Features {
    pub precise: bool,
    pub less_than: bool,
    pub hiding: bool,
    pub quads: bool,
    pub waves: bool,
    pub double_matrices: bool,
    pub sixteen: bool,
    pub fall_through: bool,
    pub switch_attributes: bool,
    pub approximate: bool,
    /// Adds a sample point for debuggers after each statement: see `variables`. Off by default.
    pub marks: bool,
}

impl Features {
    /// Returns all features except those named.
    pub fn without(names: &str) -> Features {
        let on = |name: &str| names.split(',').all(|other| other.trim() != name);
        Features {
            precise: on("precise"),
            less_than: on("less_than"),
            hiding: on("hiding"),
            quads: on("quads"),
            waves: on("waves"),
            double_matrices: on("double_matrices"),
            sixteen: on("sixteen"),
            fall_through: on("fall_through"),
            switch_attributes: on("switch_attributes"),
            approximate: on("approximate"),
            marks: false,
        }
    }
}

/// The kind of a slot of eight bytes in `Out`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Slot {
    Bits,
    /// A float in the lower half; zeros are equal. Results may differ by this number of units of the last place.
    Float32(f64),
    /// A float whose tolerance is absolute or in units of the last place.
    Absolute(f64, f64),
    Float64,
}

impl Slot {
    /// Returns the kind of a slot whose results must be equal.
    pub fn exact(self) -> Slot {
        match self {
            Slot::Float32(_) | Slot::Absolute(..) => Slot::Float32(0.0),
            Slot::Bits | Slot::Float64 => self,
        }
    }
}

#[derive(Clone, Debug)]
pub struct Var {
    pub name: String,
    pub ty: Ty,
    pub writable: bool,
    /// True if functions may change it as a global.
    pub is_static: bool,
}

/// Rules for offsets in buffers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    Vulkan,
    Dx,
    Scalar,
}

/// A program with the data for its host.
#[derive(Clone, Debug)]
pub struct Program {
    pub tree: Tree,
    pub threads: [u32; 3],
    pub groups: u32,
    pub slots: Vec<Slot>,
    pub sixteen: bool,
    pub row_major: bool,
    pub layout: Layout,
    pub own_bytes: u32,
}

impl Program {
    pub fn text(&self) -> String {
        self.tree.text()
    }

    /// Returns the number of threads in the dispatch.
    pub fn all_threads(&self) -> u32 {
        self.threads.iter().product::<u32>() * self.groups
    }
}

pub struct Generator {
    random: Random,
    features: Features,
    sixteen: bool,
    /// Spells 16-bit types as minimum-precision types, which then have 16 bits too.
    minimum: bool,
    structs: Vec<Struct>,
    enums: Vec<Enum>,
    functions: Vec<Function>,
    vars: Vec<Var>,
    arrays: Vec<(Ty, String)>,
    shared: Vec<(String, Ty)>,
    own_slots: Vec<(Ty, u32)>,
    own_bytes: u32,
    work: Option<Ty>,
    slots: Vec<Slot>,
    threads: [u32; 3],
    next: u32,
    /// Number of expressions that may still be generated here.
    nodes: u32,
    /// Cost of calls so far, execution count of the code here, and the limit.
    cost: u32,
    multiplier: u32,
    limit: u32,
    /// Nonzero if threads may diverge here.
    divergent: u32,
    in_body: bool,
    in_pure: bool,
    no_bits: bool,
    indexing: bool,
    /// True if a path ends in a swizzle.
    swizzled: bool,
    layout: Layout,
}

/// Parses seeds: numbers and ranges, separated by commas.
pub fn seeds(text: &str) -> Option<Vec<u64>> {
    let mut all = Vec::new();
    for part in text.split(',').map(str::trim) {
        match part.split_once("..") {
            Some((from, to)) => all.extend(from.parse::<u64>().ok()?..to.parse().ok()?),
            None => all.push(part.parse().ok()?),
        }
    }
    Some(all)
}

/// Generates the program of a seed.
pub fn program(seed: u64, features: &Features) -> Program {
    // Another sequence than that of the graphs with this seed.
    let mut random = Random::new(seed ^ 0x5eed_0f9e_e2b3_a7c1);
    let threads =
        random.pick(&[[8, 1, 1], [16, 1, 1], [32, 1, 1], [64, 1, 1], [8, 2, 1], [4, 4, 2], [2, 16, 1], [3, 5, 1]]);
    let sixteen = features.sixteen && !random.one_in(4);
    let minimum = sixteen && random.one_in(5);
    let layout = random.pick(&[Layout::Vulkan, Layout::Vulkan, Layout::Dx, Layout::Scalar]);
    let row_major = random.one_in(3);
    let generator = Generator {
        random,
        // Quads of several dimensions belong to shader model 6.6, and DXC's SPIR-V lacks them (docs/differences.md).
        features: Features { quads: features.quads && threads[1..] == [1, 1], ..features.clone() },
        sixteen,
        minimum,
        structs: Vec::new(),
        enums: Vec::new(),
        functions: Vec::new(),
        vars: Vec::new(),
        arrays: Vec::new(),
        shared: Vec::new(),
        own_slots: Vec::new(),
        own_bytes: 0,
        work: None,
        slots: Vec::new(),
        threads,
        next: 0,
        nodes: 60,
        cost: 0,
        multiplier: 1,
        limit: 60,
        divergent: 0,
        in_body: false,
        in_pure: false,
        no_bits: false,
        indexing: false,
        swizzled: false,
        layout,
    };
    generator.made_program(row_major)
}

impl Generator {
    fn fresh(&mut self, prefix: &str) -> String {
        self.next += 1;
        format!("{prefix}{}", self.next)
    }

    fn cost_left(&self) -> u32 {
        self.limit.saturating_sub(self.cost) / self.multiplier.max(1)
    }

    fn spend(&mut self, cost: u32) {
        self.cost += cost * self.multiplier;
    }

    fn uniform(&self) -> bool {
        self.divergent == 0 && self.in_body
    }

    fn waves(&self) -> bool {
        self.features.waves && self.uniform()
    }

    /// Returns the name of a type.
    fn spelled(&self, ty: &Ty) -> String {
        match ty {
            Ty::Scalar(s) => s.name().to_owned(),
            Ty::Vector(S::I16 | S::U16 | S::F16, n) => format!("{}{n}", ty.scalar().map_or("", S::name)),
            Ty::Vector(s, n) => format!("{}{n}", s.name()),
            Ty::Matrix(s, rows, columns) => format!("{}{rows}x{columns}", s.name()),
            Ty::Array(..) => self.arrays.iter().find(|(known, _)| known == ty).map(|a| a.1.clone()).unwrap_or_default(),
            Ty::Struct(n) => self.structs[*n].name.clone(),
            Ty::Enum(n) => self.enums[*n].name.clone(),
        }
    }

    fn has_matrix(&self, ty: &Ty) -> bool {
        match ty {
            Ty::Matrix(..) => true,
            Ty::Array(element, _) => self.has_matrix(element),
            Ty::Struct(n) => self.all_members(*n).iter().any(|member| self.has_matrix(&member.ty)),
            _ => false,
        }
    }

    /// Returns a declaration without its end.
    fn declarator(&self, ty: &Ty, name: &str) -> String {
        match ty {
            Ty::Array(element, n) => self.declarator(element, &format!("{name}[{n}]")),
            _ => format!("{} {name}", self.spelled(ty)),
        }
    }

    fn scalar(&mut self) -> S {
        let all: &[S] = if self.sixteen {
            &[
                S::U32,
                S::U32,
                S::U32,
                S::I32,
                S::I32,
                S::I32,
                S::F32,
                S::F32,
                S::Bool,
                S::I16,
                S::U16,
                S::I64,
                S::U64,
                S::F16,
                S::F64,
            ]
        } else {
            &[S::U32, S::U32, S::U32, S::I32, S::I32, S::I32, S::F32, S::F32, S::Bool, S::I64, S::U64, S::F64]
        };
        self.random.pick(all)
    }

    fn numeric_scalar(&mut self) -> S {
        let scalar = self.scalar();
        if scalar == S::Bool { S::U32 } else { scalar }
    }

    fn random_number(&mut self) -> Ty {
        let scalar = self.scalar();
        match self.random.below(10) {
            0..=5 => Ty::Scalar(scalar),
            6..=8 => Ty::Vector(scalar, 2 + self.random.below(3)),
            _ => {
                // DXC lacks most operators of other matrices.
                Ty::Matrix(S::F32, 2 + self.random.below(3), 2 + self.random.below(3))
            }
        }
    }

    fn any_type(&mut self) -> Ty {
        match self.random.below(10) {
            0 | 1 if !self.structs.is_empty() => Ty::Struct(self.random.below(self.structs.len() as u32) as usize),
            2 if !self.arrays.is_empty() => {
                let n = self.random.below(self.arrays.len() as u32) as usize;
                self.arrays[n].0.clone()
            }
            3 if !self.enums.is_empty() => Ty::Enum(self.random.below(self.enums.len() as u32) as usize),
            _ => self.random_number(),
        }
    }

    fn array_of(&mut self, element: Ty) -> Ty {
        let n = 2 + self.random.below(4);
        self.array_of_count(element, n)
    }

    /// Returns an array type, and names it for casts.
    fn array_of_count(&mut self, element: Ty, n: u32) -> Ty {
        let ty = Ty::Array(Box::new(element), n);
        if self.arrays.iter().all(|(known, _)| *known != ty) {
            let name = self.fresh("A");
            self.arrays.push((ty.clone(), name));
        }
        ty
    }

    fn made_program(mut self, row_major: bool) -> Program {
        let groups = 1 + self.random.below(2);
        let mut types = tree!(Role::Fixed;);
        for _ in 0..self.random.below(3) {
            let one = self.enumeration();
            types.add(one);
        }
        for _ in 0..1 + self.random.below(3) {
            let element = self.random_number();
            self.array_of(element);
        }
        let globals = self.globals();
        types.add(globals);
        for _ in 0..self.random.below(4) {
            let one = self.structure_declaration();
            types.add(one);
        }
        let resources = self.resources();
        let mut functions = tree!(Role::Fixed;);
        for _ in 0..2 + self.random.below(4) {
            let one = self.function();
            functions.add(one);
        }
        let body = self.body();
        let mut typedefs = tree!(Role::Fixed;);
        // Only arrays of numbers: they precede the structures that use them.
        for (ty, name) in self.arrays.clone() {
            let Ty::Array(element, n) = &ty else { continue };
            let alias = match self.random.below(2) {
                _ if matches!(**element, Ty::Array(..)) => String::new(),
                _ => format!("typedef {} {name}[{n}];\n", self.spelled(element)),
            };
            typedefs.add(alias);
        }
        let [x, y, z] = self.threads;
        let threads = x * y * z;
        let head = format!(
            "#define SLOTS {}u\n#define THREADS {threads}\n#define MIX(a, b) ((a) * 31u ^ (b))\n#define DECLARE(type, name, value) type name = (value)\n\
             #define JOIN(a, b) a##b\n#define CAT(a, b) JOIN(a, b)\n#define VARIADIC(f, ...) f(__VA_ARGS__)\n",
            self.slots.len().max(1)
        );
        let marks = format!("[[vk::binding({MARKS})]] RWStructuredBuffer<uint> Marks;\n");
        let head = if self.features.marks { head + &marks } else { head };
        let head = if self.minimum { head + &minimum_precision() } else { head };
        let tail = format!(
            "#ifdef NODE\n[Shader(\"node\")]\n[NodeLaunch(\"broadcasting\")]\n[NodeDispatchGrid({groups}, 1, 1)]\n#endif\n[numthreads({x}, {y}, {z})]\n\
             void main(uint3 tid : SV_DispatchThreadID, uint3 gtid : SV_GroupThreadID, uint3 gid : SV_GroupID, uint gi : SV_GroupIndex) {{\n\
             body(tid, gtid, gid, gi);\n}}\n"
        );
        let mut masked = String::new();
        for (rows, columns) in (2..5).flat_map(|rows| (2..5).map(move |columns| (rows, columns))) {
            let name = format!("masked{rows}{columns}");
            if [&types, &functions, &body].iter().any(|tree| tree.text().contains(&name)) {
                masked += &format!("float{rows}x{columns} {name}(float{rows}x{columns} m) {{\n");
                for row in 0..rows {
                    masked += &format!("m[{row}] = float{columns}(int{columns}(m[{row}]) & 63);\n");
                }
                masked += "return m;\n}\n";
            }
        }
        let precise = "void precise_sum(float a, out precise float r) { r = (a + 0.1f) - a; }\n";
        let tree = tree!(Role::Fixed; head, masked, typedefs, types, resources, precise, functions, body, tail);
        Program {
            tree,
            threads: self.threads,
            groups,
            slots: self.slots,
            sixteen: self.sixteen,
            row_major,
            layout: self.layout,
            own_bytes: self.own_bytes,
        }
    }

    fn body(&mut self) -> Tree {
        self.in_body = true;
        self.nodes = 350;
        let mut all = tree!(Role::Fixed; "void body(uint3 tid, uint3 gtid, uint3 gid, uint gi) {\nuint me = gid.x * THREADS + gi;\n");
        for (name, ty) in [
            ("tid", Ty::Vector(S::U32, 3)),
            ("gtid", Ty::Vector(S::U32, 3)),
            ("gi", Ty::UINT),
            ("me", Ty::UINT),
            ("gid", Ty::Vector(S::U32, 3)),
        ] {
            self.vars.push(Var { name: name.into(), ty, writable: false, is_static: false });
        }
        if let Some(element) = self.work.clone() {
            self.vars.push(Var { name: "Work[me]".into(), ty: element, writable: true, is_static: false });
        }
        let first = self.vars.len();
        let inside = Inside { result: None, loops: 0, breakable: false, continuable: false };
        for _ in 0..3 {
            let statement = self.declaration();
            all.add(statement);
        }
        for _ in 0..6 + self.random.below(8) {
            let statement = self.statement(&inside);
            all.add(statement);
        }
        if self.features.precise && self.random.one_in(2) {
            let statement = self.precise();
            all.add(statement);
        }
        if self.features.approximate && self.random.one_in(2) {
            let statement = self.approximate();
            all.add(statement);
        }
        for var in self.vars.clone().into_iter().skip(first) {
            let stored = self.stored_path(&var.name, &var.ty);
            all.add(stored);
        }
        for var in self.vars.clone().into_iter().filter(|v| v.is_static) {
            let stored = self.stored_path(&var.name, &var.ty);
            all.add(stored);
        }
        // The words of integers in byte-address memory: only these reveal a layout that is wrong in stores and loads
        // alike.
        for (ty, at) in self.own_slots.clone() {
            let Some(scalar) = ty.scalar().filter(|scalar| scalar.is_int()) else { continue };
            for word in 0..(ty.components() * scalar.bits()).div_ceil(32) {
                let at = at + word * 4;
                let stored = self.stored(&format!("Own.Load(me * {}u + {at}u)", self.own_bytes), Slot::Bits);
                all.add(stored);
            }
        }
        all.add("}\n");
        all
    }

    /// Generates the arguments of a call, if the search finds a variable for each.
    fn try_arguments(&mut self, function: &Function, taken: &[usize]) -> Option<Tree> {
        // Each written parameter needs a variable that no other argument uses.
        let mut chosen = taken.to_vec();
        let mut outs = Vec::new();
        for param in function.params.iter().filter(|p| p.mode != types::Mode::In) {
            let (tree, n) = self.path_of(&param.ty, true, Some(&chosen))?;
            chosen.push(n);
            outs.push(tree);
        }
        let mut outs = outs.into_iter();
        let mut all = tree!(Role::Fixed;);
        for (n, param) in function.params.iter().enumerate() {
            if param.defaulted && self.random.one_in(2) {
                break;
            }
            if n > 0 {
                all.add(", ");
            }
            let argument = if param.mode == types::Mode::In { self.typed(&param.ty, 2).tree } else { outs.next()? };
            all.add(argument);
        }
        Some(all)
    }
}

/// Returns macros that replace 16-bit types by minimum-precision types.
fn minimum_precision() -> String {
    let shapes = || {
        let vectors = (1..5).map(|n| n.to_string());
        let matrices = (1..5).flat_map(|rows| (1..5).map(move |columns| format!("{rows}x{columns}")));
        std::iter::once(String::new()).chain(vectors).chain(matrices)
    };
    let types = [("float16_t", "min16float"), ("int16_t", "min16int"), ("uint16_t", "min16uint")];
    let lines =
        types.iter().flat_map(|(from, to)| shapes().map(move |shape| format!("#define {from}{shape} {to}{shape}\n")));
    lines.collect()
}
