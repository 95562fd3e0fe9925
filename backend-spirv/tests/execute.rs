//! Tests of the results of emitted modules, on the CPU device and on a Vulkan driver if there is one
//! (`WGC_REQUIRE_VULKAN=1` requires it). Expected values are computed here, in Rust.

mod common;
mod device;

use common::{emit, read, verify};
use device::{Input, bind, contents, on_devices};
use wgc_backend_spirv::EmitOptions;
use wgc_ir::passes::OptLevel;
use wgc_runtime::cpu::{CpuDevice, CpuSettings, GraphInput};
use wgc_runtime::device::{Command, Device};

fn run(device: &mut dyn Device, text: &str, inputs: &[Input]) -> Vec<u8> {
    let module = wgc_ir::parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    device::run(device, &module, inputs)
}

/// A number in memory.
trait Number: Copy + PartialEq + std::fmt::Debug {
    const BYTES: usize;
    fn bits(self) -> u64;
    fn of(bits: u64) -> Self;
}

macro_rules! numbers {
    ($($ty:ident: $bits:ident, $to:expr, $from:expr;)*) => {
        $(impl Number for $ty {
            const BYTES: usize = size_of::<$ty>();
            fn bits(self) -> u64 { let to: fn($ty) -> $bits = $to; u64::from(to(self)) }
            fn of(bits: u64) -> $ty { let from: fn($bits) -> $ty = $from; from(bits as $bits) }
        })*
    };
}

numbers! {
    u16: u16, |x| x, |x| x;
    i16: u16, |x| x as u16, |x| x as i16;
    u32: u32, |x| x, |x| x;
    i32: u32, |x| x as u32, |x| x as i32;
    u64: u64, |x| x, |x| x;
    i64: u64, |x| x as u64, |x| x as i64;
    f32: u32, f32::to_bits, f32::from_bits;
    bool: u32, |x| u32::from(x), |x| match x { 0 => false, 1 => true, _ => panic!("bool in memory is {x}") };
}

/// Returns the bytes of a number in memory; a bool has those of a word.
fn bytes_of<T: Number>() -> usize {
    if std::any::type_name::<T>() == "bool" { 4 } else { T::BYTES }
}

fn to_bytes<T: Number>(values: &[T]) -> Vec<u8> {
    values.iter().flat_map(|v| v.bits().to_le_bytes().into_iter().take(bytes_of::<T>())).collect()
}

fn from_bytes<T: Number>(bytes: &[u8]) -> Vec<T> {
    let word = |chunk: &[u8]| chunk.iter().rev().fold(0u64, |bits, &b| bits << 8 | u64::from(b));
    bytes.chunks(bytes_of::<T>()).map(|chunk| T::of(word(chunk))).collect()
}

/// Returns a module in which thread n applies `op` to element n of each operand's buffer.
fn module<T: Number, R: Number>(op: &str, arity: usize, n: usize) -> String {
    let (t, r) = (std::any::type_name::<T>(), std::any::type_name::<R>());
    let (st, sr) = (bytes_of::<T>(), bytes_of::<R>());
    let mut text = String::new();
    for k in 0..arity {
        text += &format!("global @in{k}: buffer<{t} stride {st}> set 0 binding {k}\n");
    }
    text += &format!("global @out: buffer<{r} stride {sr}> writable set 0 binding {arity}\n");
    text +=
        &format!("entry \"main\" = @main threads {n} 1 1\nfn @main() -> void {{\n  %0: u32 = builtin.group_index\n");
    for k in 0..arity {
        let (a, b, c) = (3 * k + 1, 3 * k + 2, 3 * k + 3);
        text += &format!("  %{a}: ref<storage, [{t} stride {st}]> = global @in{k}\n");
        text += &format!("  %{b}: ref<storage, {t}> = index %{a}, %0\n  %{c}: {t} = load %{b}\n");
    }
    let operands = if arity == 1 { "%3" } else { "%3, %6" };
    text += &format!("  %90: {r} = {op} {operands}\n  %91: ref<storage, [{r} stride {sr}]> = global @out\n");
    text + &format!("  %92: ref<storage, {r}> = index %91, %0\n  store %92, %90\n}}\n")
}

fn unary<T: Number, R: Number>(op: &str, values: &[T], expected: impl Fn(T) -> R) {
    let expected: Vec<R> = values.iter().map(|&v| expected(v)).collect();
    on_devices(|device| {
        let inputs = [Input::Storage(to_bytes(values)), Input::Storage(vec![0; values.len() * bytes_of::<R>()])];
        let out = run(device, &module::<T, R>(op, 1, values.len()), &inputs);
        assert_eq!(from_bytes::<R>(&out), expected, "{op} of {values:?} on {}", device.name());
    });
}

fn binary<T: Number, R: Number>(op: &str, pairs: &[(T, T)], expected: impl Fn(T, T) -> R) {
    let expected: Vec<R> = pairs.iter().map(|&(a, b)| expected(a, b)).collect();
    let [a, b] = [0, 1].map(|n| pairs.iter().map(|&(a, b)| if n == 0 { a } else { b }).collect::<Vec<T>>());
    on_devices(|device| {
        let out = Input::Storage(vec![0; pairs.len() * bytes_of::<R>()]);
        let inputs = [Input::Storage(to_bytes(&a)), Input::Storage(to_bytes(&b)), out];
        let out = run(device, &module::<T, R>(op, 2, pairs.len()), &inputs);
        assert_eq!(from_bytes::<R>(&out), expected, "{op} of {pairs:?} on {}", device.name());
    });
}

const WIDE: [u64; 12] = [
    0,
    1,
    0xf0,
    1 << 31,
    1 << 32,
    1 << 63,
    u64::MAX,
    u64::MAX - 1,
    0x1234_5678_9abc_def0,
    0x7fff_ffff_ffff_ffff,
    0xffff_ffff,
    0xffff_ffff_0000_0000,
];

/// Tests the bit functions of one width, by the definitions in the IR.
macro_rules! bit_functions {
    ($name:ident, $unsigned:ident, $signed:ident) => {
        #[test]
        fn $name() {
            let values = WIDE.map(|x| [x as $unsigned, (x >> ($unsigned::BITS / 2)) as $unsigned]).concat();
            let signed: Vec<$signed> = values.iter().map(|&x| x as $signed).collect();
            let high = |x: $unsigned| x.checked_ilog2().map_or($unsigned::MAX, |n| n as $unsigned);
            unary("count_bits", &values, |x| x.count_ones() as $unsigned);
            unary("reverse_bits", &values, $unsigned::reverse_bits);
            unary(
                "first_bit_low",
                &values,
                |x| if x == 0 { x.wrapping_sub(1) } else { x.trailing_zeros() as $unsigned },
            );
            unary("first_bit_high", &values, high);
            unary("first_bit_high", &signed, |x| high(if x < 0 { !x } else { x } as $unsigned) as $signed);
            unary("reverse_bits", &signed, $signed::reverse_bits);
        }
    };
}

bit_functions!(bits_of_16, u16, i16);
bit_functions!(bits_of_32, u32, i32);
bit_functions!(bits_of_64, u64, i64);

#[test]
fn integer_operators() {
    let pairs = [(5, 3), (-5, 3), (7, -2), (-7, -2), (i32::MIN, 33), (-1, 31), (100, 64), (3, 35)];
    let unsigned = pairs.map(|(a, b)| (a as u32, b as u32));
    binary("rem", &pairs, i32::wrapping_rem);
    binary("div", &pairs, i32::wrapping_div);
    binary("min", &pairs, |a: i32, b| a.min(b));
    binary("shr", &pairs, |a: i32, b| a.wrapping_shr(b as u32));
    binary("rem", &unsigned, |a: u32, b| a % b);
    binary("max", &unsigned, |a: u32, b| a.max(b));
    binary("shr", &unsigned, u32::wrapping_shr);
    binary("shl", &unsigned, u32::wrapping_shl);
    binary("lt", &pairs, |a: i32, b| a < b);
    binary("lt", &unsigned, |a: u32, b| a < b);
}

#[test]
fn float_operators() {
    let nan = f32::NAN;
    let pairs = [(1.5, 2.5), (nan, 1.0), (2.0, nan), (-0.5, 0.5), (7.5, 2.0), (3.0, 3.0)];
    binary("min", &pairs, f32::min);
    binary("max", &pairs, f32::max);
    binary("eq", &pairs, |a: f32, b| a == b);
    binary("ne", &pairs, |a: f32, b| a != b);
    binary("ge", &pairs, |a: f32, b| a >= b);
    let values = [0.5, 1.5, 2.5, -0.5, -1.5, 3.7, -3.7, 0.0];
    unary("round", &values, f32::round_ties_even);
    unary("fract", &values, |x: f32| x - x.floor());
    unary("sign", &values, |x: f32| if x == 0.0 { 0.0 } else { x.signum() });
}

#[test]
fn conversions() {
    unary("convert", &[1.9f32, -1.9, 0.0, 1e9], |x| x as i32);
    unary("convert", &[f32::NAN, 0.0, -0.0, 0.1, -3.0], |x| x != 0.0);
    unary("convert", &[0u32, 1, 2, 0x8000_0000], |x| x != 0);
    unary("convert", &[true, false], |x| if x { 1f32 } else { 0.0 });
    unary("convert", &[-1i32, 7, i32::MIN], |x| i64::from(x) as u64);
    unary("convert", &WIDE, |x| x as i16);
    unary("convert", &[-1i16, 7], |x| i32::from(x) as u32);
    unary("convert", &[0xffffu16, 7], i32::from);
}

#[test]
fn values_are_converted_between_memory_layouts() {
    // The block has stride 16 and a true value other than 1; the items have scalar layout.
    let mut block = vec![0; 64];
    for (offset, value) in [(0, 1f32), (4, 2.0), (8, 3.0), (16, 4.0), (32, 5.0), (48, 6.0)] {
        block[offset..offset + 4].copy_from_slice(&value.to_le_bytes());
    }
    block[12] = 9;
    let f = f32::to_bits;
    let expected = [f(1.0), f(2.0), f(3.0), 1, f(4.0), f(10.0), f(6.0), 0, 0, f(6.0), 0, 0, 0, f(6.0)];
    on_devices(|device| {
        let inputs = [Input::Uniform(block.clone()), Input::Storage(vec![0; 56])];
        let out = run(device, &read("run_layouts"), &inputs);
        assert_eq!(from_bytes::<u32>(&out), expected, "{}", device.name());
    });
}

#[test]
fn physical_memory() {
    let module = emit(&read("run_physical"), "run_physical", &EmitOptions::default()).unwrap();
    on_devices(|device| {
        let mut queue = vec![0; 32];
        queue[8] = 5;
        let inputs = [Input::Storage(queue), Input::Storage(vec![0; 256])];
        let (buffers, bindings) = bind(device, &inputs);
        let push: Vec<u8> = buffers.iter().flat_map(|&b| device.buffer_address(b).to_le_bytes()).collect();
        let pipeline = device.create_pipeline(&module.words, "main", Some(bindings), 16, None).unwrap();
        let (bindings, groups, label) = (Some(bindings), [1; 3], String::new());
        device.submit(&[Command::Dispatch { pipeline, bindings, push, groups, label }, Command::Barrier]).unwrap();
        // Eight threads: 3 each added to the base, one each to the tail, the largest index, and the flag.
        let queue = from_bytes::<u32>(&contents(device, buffers[0], &inputs, 0));
        assert_eq!(queue, [24, 0, 13, 7, 0, 0, 0, 1], "{}", device.name());
        let data = from_bytes::<u32>(&contents(device, buffers[1], &inputs, 1));
        let expected: Vec<u32> =
            (0..64).map(|n| if n % 3 == 0 && (5..13).contains(&(n / 3)) { 100 + n / 3 } else { 0 }).collect();
        assert_eq!(data, expected, "{}", device.name());
    });
}

/// Computes the result of `run_flow.ir` in Rust.
fn flow(lane: u32) -> u32 {
    let (mut sum, mut i) = (0, 0);
    loop {
        'continuing: {
            if i >= 10 {
                return sum;
            }
            match i % 5 {
                1 | 2 => sum += 3,
                3 => break 'continuing,
                _ if lane & 1 == 1 => return sum + 1000,
                _ => sum += lane,
            }
            sum += 100;
        }
        i += 1;
        if i > lane {
            return sum + 5;
        }
    }
}

#[test]
fn control_flow_with_diverging_lanes() {
    let expected: Vec<u32> = (0..16).map(flow).collect();
    on_devices(|device| {
        let out = run(device, &read("run_flow"), &[Input::Storage(vec![0; 64])]);
        assert_eq!(from_bytes::<u32>(&out), expected, "{}", device.name());
    });
}

#[test]
fn workgroup_memory_and_barriers() {
    on_devices(|device| {
        let out = run(device, &read("run_reduce"), &[Input::Storage(vec![0; 256])]);
        assert_eq!(from_bytes::<u32>(&out)[0], (0..64).map(|n| n * n).sum::<u32>(), "{}", device.name());
    });
}

/// Dispatches one record to a graph on the CPU device. Returns the non-zero words of its only buffer.
fn graph(file: &str, node: &str, record: &[u32]) -> Vec<(usize, u32)> {
    graph_with(file, node, record, &[])
}

/// Dispatches one record to a graph that must cause these findings.
fn graph_with(file: &str, node: &str, record: &[u32], findings: &[&str]) -> Vec<(usize, u32)> {
    let module = emit(&read(file), file, &EmitOptions::default()).unwrap();
    let mut device = CpuDevice::new(CpuSettings::default());
    let inputs = [Input::Storage(vec![0; 1024])];
    let (buffers, bindings) = bind(&mut device, &inputs);
    let graph = device.create_graph(&module.words).unwrap();
    let records = to_bytes(record);
    let stride = records.len() as u32;
    let input = GraphInput { node: node.into(), index: 0, records, stride, count: 1 };
    device.dispatch_graph(graph, Some(bindings), &[], &[input]).unwrap();
    let found: Vec<&str> = device.findings().iter().map(|finding| finding.code).collect();
    assert_eq!(found, findings, "{file}: {:?}", device.findings());
    let words = from_bytes::<u32>(&contents(&mut device, buffers[0], &inputs, 0));
    words.into_iter().enumerate().filter(|&(_, w)| w != 0).collect()
}

#[test]
fn reference_graphs_match_hand_written_modules() {
    assert_eq!(graph("graph_g1", "entry", &[5, 0]), [(1, 8), (2, 4852), (3, 4), (4, 2)]);
    assert_eq!(graph("graph_g2", "rec", &[0]), [(16, 15), (20, 8), (21, 4), (22, 2), (23, 1)]);
    // Its workgroups add to a shared record without atomics, as in the hand-written graph.
    let racy = graph_with("graph_g4", "e4", &[0], &["WG4012"; 2]);
    assert_eq!(racy, [(56, 60), (60, 14), (61, 21), (64, 110), (72, 1)]);
}

#[test]
fn grids_are_read_from_any_type_of_record_field() {
    // 6 groups of `array` add 7 each.
    assert_eq!(graph("graph_grids", "source", &[3]), [(1, 6), (2, 4), (3, 3), (4, 42)]);
}

/// Both arms of a branch in `continuing` leave the switch around it. Nothing reaches the end of the branch, but all
/// blocks of `continuing` must lead to the back edge.
const UNREACHABLE_END_IN_CONTINUING: &str = "global @out: buffer<u32 stride 4> writable set 0 binding 0
entry \"main\" = @main threads 1 1 1
fn @main() -> void {
  %0: ref<storage, [u32 stride 4]> = global @out
  %1: u32 = 0
  %2: ref<storage, u32> = index %0, %1
  %3: u32 = load %2
  %4: u32 = 3
  %5: u32 = 1
  %6: u32 = loop (%7: u32 = %1, %8: u32 = %1) {
    %9: bool = lt %7, %4
    if %9 {
    } else {
      break %8
    }
  } continuing {
    %10: bool = eq %3, %7
    %11: u32 = switch %3 {
      default {
        if %10 {
          break %5
        } else {
          break %4
        }
      }
    }
    %12: u32 = add %7, %11
    %13: u32 = add %8, %5
    next %12, %13
  }
  store %2, %6
}
";

#[test]
fn unreachable_ends_in_continuing_jump_back() {
    let options = EmitOptions { level: OptLevel::O0, ..EmitOptions::default() };
    let module = emit(UNREACHABLE_END_IN_CONTINUING, "continuing", &options).expect("it can be emitted");
    verify("continuing", &module);
    on_devices(|device| {
        let iterations = |device: &mut dyn Device, first: u32| {
            from_bytes::<u32>(&run(device, UNREACHABLE_END_IN_CONTINUING, &[Input::Storage(to_bytes(&[first]))]))
        };
        // With 0 the steps are 1 and 3. Otherwise one step of 3 ends the loop.
        assert_eq!([0, 1, 7].map(|first| iterations(device, first)), [[2], [1], [1]], "on {}", device.name());
    });
}
