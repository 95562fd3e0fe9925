//! The parts that all programs share: types, globals, the signatures of functions, and the buffers of a run.
//!
//! A thread writes to buffers only in its own elements, and atomics of several threads commute. All threads write to
//! [`SHARED`] and `@mail` between two barriers. So every program has one result. The read-only `@view` is the same
//! buffer as `@mail`: a host may bind one twice.

use crate::device::Input;
use crate::random::Random;
use crate::statements::Maker;
use wgc_ir::{Module, Scalar, Type, parse};

/// The threads of a workgroup, and the workgroups.
pub const THREADS: u32 = 8;
pub const GROUPS: u32 = 2;
/// The elements of each thread in `@out`, `@items` and `@result`.
pub const OUT: u32 = 8;
pub const ITEMS: u32 = 2;
pub const RESULTS: u32 = 1;
/// The elements of `@in`, `@rows` and `@sums`.
pub const IN: u32 = 8;
pub const ROWS: u32 = 4;
pub const SUMS: u32 = 4;

pub const SHARED: &str = "shared";

/// The binding of `@mail`.
const MAIL: usize = 6;

/// The binding of `@guard`, which checks of the test read.
pub const GUARD: u32 = 8;

const HEADER: &str = "struct S size 24 align 4 { a: u32 @0, v: f32x2 @4, k: i32 @12, w: [u32; 2 stride 4] @16 }
struct U size 80 align 16 { n: u32 @0, m: i32 @4, x: f32 @8, t: [f32x4; 4 stride 16] @16 }
global @out: buffer<u32 stride 4> writable set 0 binding 0
global @items: buffer<S stride 24> writable set 0 binding 1
global @in: buffer<u32 stride 4> set 0 binding 2
global @rows: buffer<S stride 24> set 0 binding 3
global @u: uniform U set 0 binding 4
global @sums: buffer<u32 stride 4> writable set 0 binding 5
global @mail: buffer<u32 stride 4> writable set 0 binding 6
global @result: buffer<u32 stride 4> writable set 0 binding 7
global @guard: buffer<u32 stride 4> set 0 binding 8
global @view: buffer<u32 stride 4> set 0 binding 9
global @table: constant [u32; 4 stride 4] = { u32 7, u32 0, u32 4294967295, u32 12 }
global @p: private u32 = u32 5
global @q: private S = zero
global @flag: private bool = zero
global @kept: private u32 = u32 1
global @shared: workgroup [u32; 8 stride 4]
global @unread: workgroup [u32; 8 stride 4]
";

/// The workgroup sizes, all of [`THREADS`] threads.
const SHAPES: [&str; 3] = ["8 1 1", "4 2 1", "2 2 2"];

/// The types of values and locals.
pub struct Types {
    pub all: Vec<Type>,
    pub words: Type,
    pub rows: Type,
}

/// A parameter of a function.
#[derive(Clone)]
pub enum Parameter {
    /// A value; with a constant, all calls pass that one.
    Value(Type, Option<u64>),
    /// The place of a local of the caller.
    Place(Type),
}

/// A function that programs call.
#[derive(Clone)]
pub struct Callee {
    pub name: String,
    pub params: Vec<Parameter>,
    pub ret: Type,
    /// It has barriers or operations of subgroups, so all threads call it together.
    pub meets: bool,
}

/// Returns the program of a seed.
pub fn program(seed: u64) -> Module {
    let mut random = Random::new(seed);
    let shape = random.pick(&SHAPES);
    let mut module = parse(&format!("{HEADER}entry \"main\" = @main threads {shape}\nfn @main() -> void {{ }}"))
        .unwrap_or_else(|e| panic!("{e}"));
    let types = Types::of(&module);
    let mut callees: Vec<Callee> = Vec::new();
    for n in 0..random.below(4_u32) {
        let callee = callee(&mut random, &types, format!("f{n}"));
        let function = Maker::new(&mut random, &types, &module, &callees).function(&callee);
        module.add_function(function);
        callees.push(callee);
    }
    let function = Maker::new(&mut random, &types, &module, &callees).entry();
    module.add_function(function);
    module
}

fn callee(random: &mut Random, types: &Types, name: String) -> Callee {
    let mut params = Vec::new();
    for _ in 0..random.below(4_u32) {
        let ty = random.pick(&types.all);
        params.push(match random.below(5_u32) {
            0 | 1 => Parameter::Place(ty),
            2 => Parameter::Value(Type::U32, Some(random.below(4_u64))),
            _ => Parameter::Value(ty, None),
        });
    }
    let ret = if random.one_in(4) { Type::Void } else { random.pick(&types.all) };
    Callee { name, params, ret, meets: random.one_in(3) }
}

impl Types {
    fn of(module: &Module) -> Types {
        let element = |name: &str| match module.globals[name].element_type().pointee() {
            Some(Type::RuntimeArray { element, .. }) => (**element).clone(),
            other => panic!("@{name} is {other:?}"),
        };
        let array = |of: &Type, len: u32| wgc_ir::layout::scalar_array(of.clone(), len).expect("it has a size");
        let s = element("rows");
        let (words, rows) = (array(&Type::U32, 4), array(&Type::Vector(Scalar::F32, 4), 4));
        let vector = |scalar, n| Type::Vector(scalar, n);
        let mut all = vec![Type::U32, Type::I32, Type::F32, Type::BOOL];
        all.extend([vector(Scalar::U32, 2), vector(Scalar::U32, 3), vector(Scalar::I32, 2), vector(Scalar::F32, 2)]);
        all.extend([vector(Scalar::F32, 3), vector(Scalar::F32, 4), vector(Scalar::Bool, 2), vector(Scalar::Bool, 3)]);
        all.extend([words.clone(), array(&vector(Scalar::F32, 2), 3), array(&s, 2), rows.clone(), s]);
        Types { all, words, rows }
    }

    /// Returns a type, often a scalar.
    pub fn pick(&self, random: &mut Random) -> Type {
        if random.one_in(2) { self.all[random.below(4_usize)].clone() } else { random.pick(&self.all) }
    }
}

/// Returns the buffers of a run, by binding.
pub fn inputs(seed: u64) -> Vec<Input> {
    let mut random = Random::new(!seed);
    let threads = THREADS * GROUPS;
    let words = |random: &mut Random, n: u32| -> Vec<u8> {
        let word = |random: &mut Random| match random.below(4_u32) {
            0 => random.below(8_u32),
            1 => random.pick(&[0x8000_0000, 0x7fff_ffff, 0xffff_ffff, 0x3f80_0000]),
            2 => (random.below(64_u32) as f32 / 4.0 - 3.0).to_bits(),
            _ => random.below(1_u64 << 32) as u32,
        };
        (0..n).flat_map(|_| word(random).to_le_bytes()).collect()
    };
    let uniform: Vec<u8> = [random.below(5_u32), random.below(9_u32), 0x4020_0000, 0]
        .into_iter()
        .chain((0..16).map(|_| (random.below(64_u32) as f32 / 8.0 - 2.0).to_bits()))
        .flat_map(u32::to_le_bytes)
        .collect();
    vec![
        Input::Storage(words(&mut random, threads * OUT)),
        Input::Storage(words(&mut random, threads * ITEMS * 6)),
        Input::Storage(words(&mut random, IN)),
        Input::Storage(words(&mut random, ROWS * 6)),
        Input::Uniform(uniform),
        Input::Storage(words(&mut random, SUMS)),
        Input::Storage(words(&mut random, threads)),
        Input::Storage(words(&mut random, threads * RESULTS)),
        Input::Storage(words(&mut random, 1)),
        Input::Same(MAIL),
    ]
}
