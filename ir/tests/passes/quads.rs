//! The numbers of threads whose quads are two by two. A small evaluator computes them for each lane.

use crate::{check, read};
use std::collections::{BTreeSet, HashMap};
use wgc_ir::{BinaryOp, Builtin, Function, Module, Op, Stmt, ValueId, passes, print};

/// A group other than the first.
const GROUP: [u32; 3] = [5, 6, 7];

const NUMBERS: &str = "%0: u32x3 = builtin.group_thread_id
    %1: u32 = builtin.group_index
    %2: u32x3 = builtin.dispatch_thread_id
    %3: f32 = 1.0
    %4: f32 = subgroup.ddx %3";

fn numbered(size: [u32; 3], body: &str) -> Module {
    let [x, y, z] = size;
    let mut module = read(&format!("entry \"f\" = @f threads {x} {y} {z} fn @f() -> void {{ {body} }}"));
    passes::quads(&mut module).unwrap();
    check(&module);
    module
}

/// Evaluates the statements of a function without branches for one lane.
fn evaluate(function: &Function, lane: u32) -> HashMap<ValueId, Vec<u32>> {
    let mut values: HashMap<ValueId, Vec<u32>> = HashMap::new();
    for stmt in &function.body {
        let Stmt::Let(id) = stmt else { continue };
        let value = match &function.value(*id).expect("it is there").op {
            Op::Builtin(Builtin::GroupIndex) => vec![lane],
            Op::Builtin(Builtin::GroupId) => GROUP.to_vec(),
            Op::Const(constant) => vec![constant.bits as u32],
            Op::Compose(parts) => parts.iter().flat_map(|part| values[part].clone()).collect(),
            Op::Binary { op, lhs, rhs } => {
                let compute = |(a, b): (&u32, &u32)| match op {
                    BinaryOp::Add => a + b,
                    BinaryOp::Mul => a * b,
                    BinaryOp::Div => a / b,
                    BinaryOp::Rem => a % b,
                    BinaryOp::And => a & b,
                    BinaryOp::Shr => a >> b,
                    other => panic!("{other:?}"),
                };
                values[lhs].iter().zip(&values[rhs]).map(compute).collect()
            }
            Op::Subgroup { .. } => continue,
            other => panic!("{other:?}"),
        };
        values.insert(*id, value);
    }
    values
}

#[test]
fn four_consecutive_lanes_form_a_quad() {
    for size in [[4, 2, 1], [4, 4, 1], [6, 4, 1], [12, 6, 1], [4, 2, 3], [6, 6, 2]] {
        let module = numbered(size, NUMBERS);
        let function = &module.functions["f"];
        let ids: Vec<ValueId> = function.values.iter().map(|(id, _)| id).collect();
        let mut seen = BTreeSet::new();
        let mut first = [0; 3];
        for lane in 0..size.iter().product() {
            let values = evaluate(function, lane);
            let [x, y, z] = values[&ids[0]][..] else { panic!("three numbers") };
            let inside = [(0, 0), (1, 0), (0, 1), (1, 1)][lane as usize % 4];
            if inside == (0, 0) {
                first = [x, y, z];
            }
            assert_eq!([x, y, z], [first[0] + inside.0, first[1] + inside.1, first[2]], "{size:?}, lane {lane}");
            assert!(first[0] % 2 == 0 && first[1] % 2 == 0, "{size:?}: {first:?}");
            assert!(x < size[0] && y < size[1] && z < size[2] && seen.insert([x, y, z]), "{size:?}, lane {lane}");
            assert_eq!(values[&ids[1]], [x + size[0] * (y + size[1] * z)], "{size:?}, lane {lane}");
            let dispatched = [0, 1, 2].map(|axis| GROUP[axis] * size[axis] + [x, y, z][axis]);
            assert_eq!(values[&ids[2]], dispatched, "{size:?}, lane {lane}");
        }
    }
}

#[test]
fn thread_ids_stay_if_quads_are_ordered_or_unused() {
    let without = NUMBERS.replace("%4: f32 = subgroup.ddx %3", "");
    for (size, body) in [([8, 1, 1], NUMBERS), ([2, 4, 1], NUMBERS), ([4, 4, 1], &without)] {
        let [x, y, z] = size;
        let before = read(&format!("entry \"f\" = @f threads {x} {y} {z} fn @f() -> void {{ {body} }}"));
        assert_eq!(print(&numbered(size, body)), print(&before), "{size:?}");
    }
}

/// A helper may belong to entries of both orders, so it reads its number from a variable.
#[test]
fn helpers_read_the_group_index_of_their_caller() {
    let helper = "fn @help() -> void { %0: u32 = builtin.group_index %1: f32 = 1.0 %2: f32 = subgroup.ddx %1 }";
    let mut module = read(&format!(
        "entry \"f\" = @f threads 4 4 1 entry \"row\" = @row threads 8 1 1
         fn @f() -> void {{ call @help() }} fn @row() -> void {{ call @help() }} {helper}"
    ));
    passes::quads(&mut module).unwrap();
    check(&module);
    let text = print(&module);
    let body = |name: &str| {
        let (_, rest) = text.split_once(&format!("fn @{name}(")).expect("it is there");
        rest.split("\nfn ").next().expect("a body").to_owned()
    };
    let place = "ref<private, u32> = global @wgc.GroupIndex";
    assert!(body("help").contains(place) && body("help").contains("u32 = load"), "{text}");
    assert!(!body("help").contains("builtin.group_index"), "{text}");
    for (root, renumbered) in [("f", true), ("row", false)] {
        assert!(body(root).contains(place) && body(root).contains("store"), "{text}");
        assert_eq!(body(root).contains("and %"), renumbered, "{root}: {text}");
    }
}

#[test]
fn a_specialised_size_is_refused() {
    let text = |specialised: &str| {
        format!(
            "global @n: spec 3 = u32 4
             entry \"f\" = @f threads 4 4 1 {specialised}
             fn @f() -> void {{ {NUMBERS} }}"
        )
    };
    let error = passes::quads(&mut read(&text("specialised threads 0 @n"))).unwrap_err();
    assert_eq!(error.function.as_str(), "f");
    passes::quads(&mut read(&text(""))).unwrap();
    // One row stays one row.
    let row = text("specialised threads 0 @n").replace("threads 4 4 1", "threads 4 1 1");
    passes::quads(&mut read(&row)).unwrap();
}
