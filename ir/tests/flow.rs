//! Flow checks of hand-written functions: divergence and reconvergence, the state of handles, and the time of the
//! analyses. The front end's tests cover the messages of the findings.

use wgc_ir::flow::{Argument, BranchTaken, Budget, Call, Finding, FindingKind, LaunchParameters, SumTerm, check};
use wgc_ir::layout::scalar_struct;
use wgc_ir::{
    AllocScope, BinaryOp, Builtin, Function, FunctionBuilder, Global, GlobalKind, Launch, LocalId, SubgroupOp, Type,
    ValueId,
};

/// Returns a broadcasting node of 8 x 4 threads, two groups, and one output of at most 64 records.
fn launched() -> LaunchParameters {
    LaunchParameters {
        is_coherent: false,
        launch: Launch::Broadcasting,
        num_threads: Some([8, 4, 1]),
        grid: Some([2, 1, 1]),
        wave_size: None,
        max_input_records: None,
        outputs: vec![Budget { budget: 0, max_records: Some(64), elements: None, is_recursive: false }],
        grids: Vec::new(),
        mesh: Vec::new(),
    }
}

fn record() -> Type {
    Type::Struct(scalar_struct("Record", [("x".into(), Type::U32)]).expect("one field has a layout").into())
}

fn build(write: impl FnOnce(&mut FunctionBuilder)) -> Function {
    let mut b = FunctionBuilder::new("node", Type::Void);
    write(&mut b);
    b.finish()
}

fn kinds(function: &Function, launched: &LaunchParameters) -> Vec<FindingKind> {
    check(function, launched).mistakes.into_iter().map(|finding: Finding| finding.kind).collect()
}

/// Returns the findings in a function of that node.
fn found(write: impl FnOnce(&mut FunctionBuilder)) -> Vec<FindingKind> {
    kinds(&build(write), &launched())
}

fn ask(b: &mut FunctionBuilder, scope: AllocScope, count: ValueId) -> ValueId {
    let index = b.const_u32(0);
    b.allocate(scope, 0, index, count, record())
}

/// Requests one record for each thread, and sends it.
fn send(b: &mut FunctionBuilder) {
    let one = b.const_u32(1);
    let records = ask(b, AllocScope::Thread, one);
    b.complete(records);
}

fn thread(b: &mut FunctionBuilder) -> ValueId {
    b.builtin(Builtin::GroupIndex)
}

/// Returns `SV_GroupIndex < limit`.
fn below(b: &mut FunctionBuilder, limit: u32) -> ValueId {
    let (thread, limit) = (thread(b), b.const_u32(limit));
    b.lt(thread, limit)
}

/// Returns a number that the host supplies.
fn setting(b: &mut FunctionBuilder) -> ValueId {
    let block = Type::Struct(scalar_struct("Settings", [("count".into(), Type::U32)]).expect("it has a layout").into());
    let kind = GlobalKind::Uniform { block, binding: wgc_ir::Binding::open(wgc_ir::Count::One) };
    let place = b.global(&Global { name: "settings".into(), kind });
    let field = b.field(place, 0);
    b.load(field)
}

const VARYING: FindingKind = FindingKind::VaryingFlow { call: Call::Allocate(AllocScope::Thread) };

#[test]
fn thread_dependent_branches_diverge_only_up_to_their_end() {
    let inside = |b: &mut FunctionBuilder| {
        let cond = below(b, 4);
        b.if_else(cond, send, |_| {});
    };
    assert_eq!(found(inside), [VARYING]);
    let behind = |b: &mut FunctionBuilder| {
        let cond = below(b, 4);
        b.if_else(cond, |_| {}, |_| {});
        send(b);
    };
    assert_eq!(found(behind), []);
    // All 8 x 4 threads are below 32, and no thread is at 32.
    let never = |b: &mut FunctionBuilder| {
        let cond = below(b, 32);
        b.if_else(cond, send, send);
    };
    assert_eq!(found(never), []);
}

#[test]
fn returned_threads_stay_diverged_and_breaks_reconverge() {
    let leave = |jump: fn(&mut FunctionBuilder)| {
        move |b: &mut FunctionBuilder| {
            b.loop_forever(|b| {
                let cond = below(b, 4);
                b.if_else(cond, jump, |_| {});
                b.break_();
            });
            send(b);
        }
    };
    assert_eq!(found(leave(|b| b.ret(None))), [VARYING]);
    assert_eq!(found(leave(|b| b.break_())), []);
    assert_eq!(found(leave(|b| b.continue_())), []);
}

/// A return does not affect the code before it. This includes a loop that does not repeat.
#[test]
fn a_divergent_return_affects_only_later_code() {
    let once = |b: &mut FunctionBuilder| {
        b.loop_forever(|b| {
            send(b);
            let cond = below(b, 4);
            b.if_else(cond, |b| b.ret(None), |_| {});
            b.break_();
        });
    };
    assert_eq!(found(once), []);
    let again = |b: &mut FunctionBuilder| {
        let count = setting(b);
        let zero = b.const_u32(0);
        b.for_range(zero, count, |b, _| {
            send(b);
            let cond = below(b, 4);
            b.if_else(cond, |b| b.ret(None), |_| {});
        });
    };
    assert_eq!(found(again), [VARYING]);
}

/// A loop is walked until its states are known. A later round must not move code that follows a statement before it.
#[test]
fn later_analysis_rounds_keep_code_before_a_return_uniform() {
    let write = |b: &mut FunctionBuilder| {
        let turn = b.new_local("turn", Type::U32);
        let (zero, one, count) = (b.const_u32(0), b.const_u32(1), setting(b));
        b.store(turn, zero);
        b.loop_forever(|b| {
            let is_none = b.eq(count, zero);
            b.if_else(is_none, |_| {}, |_| {});
            send(b);
            let before = b.load(turn);
            let after = b.add(before, one);
            b.store(turn, after);
            let more = b.lt(after, count);
            b.if_else(more, |b| b.continue_(), |_| {});
            let cond = below(b, 4);
            b.if_else(cond, |b| b.ret(None), |_| {});
            b.break_();
        });
    };
    assert_eq!(found(write), []);
}

#[test]
fn stores_by_some_threads_make_values_varying() {
    let flag = |value: fn(&mut FunctionBuilder) -> ValueId, otherwise: u32| {
        move |b: &mut FunctionBuilder| {
            let place = b.new_local("flag", Type::U32);
            let zero = b.const_u32(otherwise);
            b.store(place, zero);
            let cond = value(b);
            b.if_else(
                cond,
                |b| {
                    let one = b.const_u32(1);
                    b.store(place, one);
                },
                |_| {},
            );
            let (flag, two) = (b.load(place), b.const_u32(2));
            let is_set = b.lt(flag, two);
            b.if_else(is_set, send, |_| {});
        }
    };
    let by_setting = |b: &mut FunctionBuilder| {
        let (count, zero) = (setting(b), b.const_u32(0));
        b.eq(count, zero)
    };
    assert_eq!(found(flag(|b| below(b, 4), 7)), [VARYING]);
    assert_eq!(found(flag(|b| below(b, 4), 1)), [], "both ways store 1");
    assert_eq!(found(flag(by_setting, 7)), []);
}

/// Constant indexes distinguish the elements of an array; a varying index does not.
#[test]
fn constant_indexes_distinguish_array_elements() {
    let array = |at: fn(&mut FunctionBuilder) -> ValueId| {
        move |b: &mut FunctionBuilder| {
            let ty = wgc_ir::layout::scalar_array(Type::U32, 4).expect("it has a layout");
            let place = b.new_local("array", ty);
            let (first, value) = (b.index_const(place, 0), thread(b));
            b.store(first, value);
            let at = at(b);
            let element = b.index(place, at);
            let (element, zero) = (b.load(element), b.const_u32(0));
            let cond = b.eq(element, zero);
            b.if_else(cond, send, |_| {});
        }
    };
    assert_eq!(found(array(|b| b.const_u32(1))), []);
    assert_eq!(found(array(|b| b.const_u32(0))), [VARYING]);
    assert_eq!(found(array(setting)), [VARYING]);
    assert_eq!(found(array(thread)), [VARYING]);
}

/// A wave may be a whole group, or one of several. Its result is uniform in the group only if the numbers guarantee a
/// single wave.
#[test]
fn single_wave_groups_make_wave_results_uniform() {
    let function = build(|b| {
        let cond = below(b, 4);
        let any = b.subgroup(SubgroupOp::Any, &[cond]);
        b.if_else(any, send, |_| {});
    });
    let doubts = |launched: &LaunchParameters| {
        let found = check(&function, launched).mistakes;
        found.iter().map(|finding| (finding.kind.clone(), finding.may)).collect::<Vec<_>>()
    };
    assert_eq!(doubts(&launched()), [(VARYING, true)]);
    let in_waves = |least: u32, most: u32| LaunchParameters { wave_size: Some([least, most]), ..launched() };
    assert_eq!(doubts(&in_waves(4, 16)), [(VARYING, false)]);
    assert_eq!(doubts(&in_waves(4, 32)), [(VARYING, true)]);
    assert_eq!(doubts(&in_waves(16, 64)), [(VARYING, true)]);
    assert_eq!(doubts(&in_waves(32, 64)), []);
    assert_eq!(doubts(&LaunchParameters { num_threads: Some([4, 1, 1]), ..launched() }), []);
    assert_eq!(doubts(&LaunchParameters { num_threads: Some([5, 1, 1]), ..launched() }), [(VARYING, true)]);
    // The host may choose the number of threads.
    assert_eq!(doubts(&LaunchParameters { num_threads: None, ..launched() }), [(VARYING, true)]);
    let first = build(|b| {
        let elected = b.subgroup(SubgroupOp::Elect, &[]);
        b.if_else(elected, send, |_| {});
    });
    assert_eq!(kinds(&first, &launched()), [VARYING]);
    assert_eq!(kinds(&first, &LaunchParameters { launch: Launch::Thread, ..launched() }), []);
    assert_eq!(kinds(&first, &LaunchParameters { num_threads: Some([1, 1, 1]), ..launched() }), []);
}

#[test]
fn group_allocations_need_uniform_arguments() {
    let function = build(|b| {
        let count = thread(b);
        let records = ask(b, AllocScope::Group, count);
        b.complete(records);
    });
    let call = Call::Allocate(AllocScope::Group);
    let wrong = [FindingKind::VaryingArgument { call, argument: Argument::Count }];
    assert_eq!(kinds(&function, &launched()), wrong);
}

fn handle(b: &mut FunctionBuilder) -> LocalId {
    let records = wgc_ir::RecordsType { scope: AllocScope::Thread, record: record().into() };
    b.local("records", Type::Records(records))
}

/// A path on which the records certainly exist and are never completed.
#[test]
fn paths_that_certainly_miss_completion_are_found() {
    let branch = |is_asked_for_at_once: bool| {
        move |b: &mut FunctionBuilder| {
            let local = handle(b);
            let place = b.local_place(local);
            let (count, zero) = (setting(b), b.const_u32(0));
            let cond = b.eq(count, zero);
            let ask_one = |b: &mut FunctionBuilder| {
                let one = b.const_u32(1);
                let records = ask(b, AllocScope::Thread, one);
                b.store(place, records);
            };
            if is_asked_for_at_once {
                ask_one(b);
            } else {
                b.if_else(cond, ask_one, |_| {});
            }
            let done = |b: &mut FunctionBuilder| {
                let records = b.load(place);
                b.complete(records);
            };
            b.if_else(cond, done, |_| {});
        }
    };
    assert_eq!(found(branch(true)), [FindingKind::NotCompleted(BranchTaken::If(false))]);
    assert_eq!(found(branch(false)), [], "the conditions may hold together");
}

/// The next iteration does not complete the records of this one.
#[test]
fn each_iteration_must_complete_its_own_records() {
    let write = |is_completed: bool| {
        move |b: &mut FunctionBuilder| {
            let (zero, one, count) = (b.const_u32(0), b.const_u32(1), setting(b));
            b.for_range(zero, count, |b, i| {
                let records = ask(b, AllocScope::Thread, one);
                let is_first = b.eq(i, zero);
                let skip = |b: &mut FunctionBuilder| {
                    if is_completed {
                        b.complete(records);
                    }
                    b.continue_();
                };
                b.if_else(is_first, skip, |_| {});
                b.complete(records);
            });
        }
    };
    assert_eq!(found(write(false)), [FindingKind::NotCompleted(BranchTaken::If(true))]);
    assert_eq!(found(write(true)), []);
}

/// Rounds of outer loops do not multiply those of inner ones.
#[test]
fn flow_analysis_of_nested_loops_is_fast() {
    fn nest(b: &mut FunctionBuilder, depth: u32, sum: ValueId) {
        if depth == 0 {
            let value = b.load(sum);
            let records = ask(b, AllocScope::Thread, value);
            let zero = b.const_u32(0);
            let place = b.output_record(records, zero);
            let field = b.field(place, 0);
            b.store(field, value);
            return;
        }
        let (zero, count) = (b.const_u32(0), setting(b));
        b.for_range(zero, count, |b, i| {
            let before = b.load(sum);
            let after = b.add(before, i);
            b.store(sum, after);
            nest(b, depth - 1, sum);
        });
    }
    let function = build(|b| {
        let sum = b.new_local("sum", Type::U32);
        let zero = b.const_u32(0);
        b.store(sum, zero);
        nest(b, 60, sum);
    });
    assert_eq!(kinds(&function, &launched()), [FindingKind::NeverCompleted]);
}

/// States of paths share equal parts. Each request has its own condition, each handle its own variable.
#[test]
fn flow_analysis_of_many_requests_is_fast() {
    let function = build(|b| {
        let place: Vec<ValueId> = (0..5000)
            .map(|_| {
                let local = handle(b);
                b.local_place(local)
            })
            .collect();
        for place in &place {
            let zero = b.const_u32(0);
            let records = ask(b, AllocScope::Thread, zero);
            b.store(*place, records);
        }
        for place in &place {
            let (setting, zero) = (setting(b), b.const_u32(0));
            let cond = b.lt(setting, zero);
            b.if_then(cond, |b| {
                let records = b.load(*place);
                let record = b.output_record(records, zero);
                let field = b.field(record, 0);
                b.store(field, setting);
            });
        }
        // All except the last.
        for place in &place[1..] {
            let records = b.load(*place);
            b.complete(records);
        }
    });
    let nothing_there = FindingKind::OutputIndex { index: 0, most: 0, is_known: true };
    let expected: Vec<FindingKind> =
        std::iter::once(FindingKind::NeverCompleted).chain(vec![nothing_there; 5000]).collect();
    assert_eq!(kinds(&function, &launched()), expected);
}

/// Handles that are wrong on one path each are followed separately, while that is fast.
#[test]
fn flow_analysis_of_many_paths_is_fast() {
    let function = build(|b| {
        for n in 0..400 {
            let local = handle(b);
            let place = b.local_place(local);
            let (one, number) = (b.const_u32(1), b.const_u32(n));
            let records = ask(b, AllocScope::Group, one);
            b.store(place, records);
            let setting = setting(b);
            let cond = b.lt(setting, number);
            b.if_then(cond, |b| {
                let records = b.load(place);
                b.complete(records);
            });
            let records = b.load(place);
            let record = b.output_record(records, number);
            let field = b.field(record, 0);
            b.store(field, setting);
            let records = b.load(place);
            b.complete(records);
        }
    });
    let launched = LaunchParameters { outputs: Vec::new(), ..launched() };
    let found = check(&function, &launched).mistakes;
    assert!(found.iter().any(|finding| finding.may && finding.kind == FindingKind::UsedAfterCompletion));
    assert!(found.iter().all(|finding| finding.may));
}

/// The part of a thread's index in the grid that is its group's index, for groups of 8 x 4 threads.
#[test]
fn group_ids_computed_from_thread_ids_are_uniform() {
    let decided = |number: fn(&mut FunctionBuilder, ValueId, ValueId) -> ValueId| {
        let launched = LaunchParameters { grid: Some([9, 9, 1]), ..launched() };
        let function = build(|b| {
            let (in_grid, in_group) = (b.builtin(Builtin::DispatchThreadId), b.builtin(Builtin::GroupThreadId));
            let (number, two) = (number(b, in_grid, in_group), b.const_u32(2));
            let cond = b.lt(number, two);
            b.if_then(cond, send);
        });
        kinds(&function, &launched)
    };
    fn by(b: &mut FunctionBuilder, op: BinaryOp, thread: ValueId, number: u32) -> ValueId {
        let (x, number) = (b.extract(thread, 0), b.const_u32(number));
        b.binary(op, x, number)
    }
    fn without(b: &mut FunctionBuilder, thread: ValueId, other: ValueId, axis: u32) -> ValueId {
        let (x, other) = (b.extract(thread, 0), b.extract(other, axis));
        b.binary(BinaryOp::Sub, x, other)
    }
    assert_eq!(decided(|b, grid, _| by(b, BinaryOp::Div, grid, 8)), []);
    assert_eq!(decided(|b, grid, _| by(b, BinaryOp::Div, grid, 24)), []);
    assert_eq!(decided(|b, grid, _| by(b, BinaryOp::Div, grid, 12)), [VARYING]);
    assert_eq!(decided(|b, grid, _| by(b, BinaryOp::Shr, grid, 3)), []);
    assert_eq!(decided(|b, grid, _| by(b, BinaryOp::Shr, grid, 2)), [VARYING]);
    assert_eq!(decided(|b, grid, _| by(b, BinaryOp::And, grid, !7)), []);
    assert_eq!(decided(|b, grid, _| by(b, BinaryOp::And, grid, !3)), [VARYING]);
    assert_eq!(decided(|b, grid, group| without(b, grid, group, 0)), []);
    assert_eq!(decided(|b, grid, group| without(b, grid, group, 1)), [VARYING]);
    assert_eq!(decided(|b, grid, group| without(b, group, grid, 0)), [VARYING]);
}

/// Each path to the last request is compared with the budget. If the path with the least sum is within it, a larger sum
/// is not a certain mistake.
#[test]
fn budgets_sum_requests_along_each_path() {
    let ways = |less: u32, more: u32| {
        move |b: &mut FunctionBuilder| {
            let (count, zero) = (setting(b), b.const_u32(0));
            let cond = b.eq(count, zero);
            let asks = |count: u32| {
                move |b: &mut FunctionBuilder| {
                    let count = b.const_u32(count);
                    let records = ask(b, AllocScope::Group, count);
                    b.complete(records);
                }
            };
            b.if_else(cond, asks(less), asks(more));
            send(b);
        }
    };
    let part = |count: u32, threads: u64| SumTerm {
        output: 0,
        count: u64::from(count),
        threads,
        iterations: 1,
        is_even: true,
    };
    // 8 x 4 threads with one record each, of at most 64.
    let wrong = |less: u32, more: u32| {
        let found = check(&build(ways(less, more)), &launched()).mistakes;
        found.into_iter().map(|finding| (finding.kind, finding.may)).collect::<Vec<_>>()
    };
    let sum = |count: u32, or_more: bool| FindingKind::RequestsTooLarge {
        output: 0,
        parts: vec![part(count, 1), part(1, 32)],
        most: 64,
        or_more,
    };
    assert_eq!(wrong(32, 32), []);
    assert_eq!(wrong(32, 60), [(sum(60, false), true)]);
    assert_eq!(wrong(60, 32), [(sum(60, false), true)]);
    assert_eq!(wrong(33, 60), [(sum(33, true), false)]);
}
