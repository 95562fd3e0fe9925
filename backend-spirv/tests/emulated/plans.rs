//! Plans of graphs: stages, schedules, segments, spills and joint dispatches.

use super::{library, parse, verify};
use wgc_backend_spirv::emulated::plan::{Schedule, Settings};
use wgc_backend_spirv::emulated::{EmuError, EmulatedOptions, GraphProblem, plan};
use wgc_backend_spirv::emulated_graph;
use wgc_ir::Module;

/// Returns a graph from node lines: `name[index] [mesh] [entry] [share_input_of x] -> target[base]*len max n, ..`. All
/// nodes except mesh nodes have thread launch.
fn graph(nodes: &str) -> Module {
    let mut text = String::from("struct R size 8 align 4 { a: u32 @0, b: u32 @4 }\nfn @f() -> void {\n}\n");
    for line in nodes.lines().map(str::trim).filter(|l| !l.is_empty()) {
        let (head, outputs) = line.split_once("->").unwrap_or((line, ""));
        let mut head = head.split_whitespace().peekable();
        let (name, index) = head.next().unwrap().split_once('[').unwrap();
        let launch = match head.next_if_eq(&"mesh") {
            Some(_) => "mesh threads 1 1 1 grid fixed 1 1 1 mesh triangle 3 1",
            None => "thread threads 1 1 1",
        };
        let rest = head.collect::<Vec<_>>().join(" ");
        text += &format!("node \"{name}\"[{index} = @f {{ launch {launch} {rest}\n");
        text += "input in: R max 1\n";
        for (i, output) in outputs.split(',').map(str::trim).filter(|o| !o.is_empty()).enumerate() {
            text += &format!("output o{i}: R -> {output}\n");
        }
        text += "}\n";
    }
    parse("graph", &text)
}

/// Returns `name[index].level@stage` of each instance, in order.
fn instances(nodes: &str) -> Vec<String> {
    instances_by(nodes, Schedule::Topological)
}

fn instances_by(nodes: &str, schedule: Schedule) -> Vec<String> {
    let module = graph(nodes);
    let plan = plan(&module.graph, &Settings { schedule, ..Settings::default() }).unwrap();
    let name = |i: &plan::Instance| {
        let id = &module.graph.nodes[i.node].id;
        format!("{}{}.{}@{}", id.name, id.index, i.level, i.stage)
    };
    plan.instances.iter().map(name).collect()
}

#[test]
fn node_stages_are_longest_path_depths() {
    let nodes = "a[0] entry -> \"c\"[0] max 1, \"b\"[0] max 1
        b[0] -> \"c\"[0] max 1
        c[0]
        d[0] entry -> \"c\"[0] max 1";
    assert_eq!(instances(nodes), ["a0.0@0", "d0.0@0", "b0.0@1", "c0.0@2"]);
}

/// Returns for each instance of a plan the numbers of the instances that it may reach.
fn reached(nodes: &str, schedule: Schedule) -> Vec<Vec<u32>> {
    let plan = plan(&graph(nodes).graph, &Settings { schedule, ..Settings::default() }).unwrap();
    let mut reached = vec![Vec::new(); plan.instances.len()];
    for queue in &plan.tables.queues {
        for edge in &plan.tables.edges[queue.first_edge as usize..][..queue.edge_count as usize] {
            reached[edge.instance as usize].extend(queue.first_instance..queue.first_instance + queue.instance_count);
        }
    }
    reached
}

#[test]
fn depth_schedule_places_nodes_at_every_reachable_depth() {
    // Paths of one, two and three nodes lead to `c`; the host's own records are a fourth. `d` has only one depth.
    let nodes = "a[0] entry -> \"c\"[0] max 1, \"b\"[0] max 1
        b[0] -> \"c\"[0] max 1, \"x\"[0] max 1
        x[0] -> \"c\"[0] max 1
        c[0] entry -> \"e\"[0] max 1
        d[0] entry -> \"e\"[0] max 1
        e[0]
        alone[0]";
    let expected = [
        "a0.0@0",
        "c0.0@0",
        "d0.0@0",
        "alone0.0@0",
        "b0.0@1",
        "c0.0@1",
        "e0.0@1",
        "x0.0@2",
        "c0.0@2",
        "e0.0@2",
        "c0.0@3",
        "e0.0@3",
        "e0.0@4",
    ];
    assert_eq!(instances_by(nodes, Schedule::Depth), expected);
    let to: [&[u32]; 13] = [&[4, 5], &[6], &[6], &[], &[7, 8], &[9], &[], &[10], &[11], &[], &[12], &[], &[]];
    assert_eq!(reached(nodes, Schedule::Depth), to);
    let plan = plan(&graph(nodes).graph, &Settings { schedule: Schedule::Depth, ..Settings::default() }).unwrap();
    assert_eq!(plan.tables.entries, [0, 1, 2], "the host sends to the first depth");
}

#[test]
fn depth_schedule_keeps_recursion_levels_apart() {
    // `r` is reached at the depths 0 and 1, so two of its levels are at one depth; its sharer is next to each.
    let nodes = "a[0] entry -> \"r\"[0] max 1
        r[0] entry recursion 1 -> \"r\"[0] max 2, \"leaf\"[0] max 1
        s[0] share_input_of \"r\"[0]
        leaf[0]";
    let expected = [
        "a0.0@0",
        "r0.0@0",
        "s0.0@0",
        "r0.0@1",
        "s0.0@1",
        "r0.1@1",
        "s0.1@1",
        "leaf0.0@1",
        "r0.1@2",
        "s0.1@2",
        "leaf0.0@2",
        "leaf0.0@3",
    ];
    assert_eq!(instances_by(nodes, Schedule::Depth), expected);
    let plan = plan(&graph(nodes).graph, &Settings { schedule: Schedule::Depth, ..Settings::default() }).unwrap();
    let left: Vec<u32> = plan.tables.instances.iter().map(|i| i.remaining_levels).collect();
    assert_eq!(left, [0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]);
    let to: [&[u32]; 12] = [&[3, 4], &[5, 6, 7], &[], &[8, 9, 10], &[], &[10], &[], &[], &[11], &[], &[], &[]];
    assert_eq!(reached(nodes, Schedule::Depth), to);
}

#[test]
fn depth_schedule_separates_elements_but_not_mesh_nodes() {
    let nodes = "a[0] entry -> \"m\"[0] array 2 max 4, \"b\"[0] max 1, \"d\"[0] max 1
        b[0] -> \"m\"[1] array 2 max 1, \"d\"[0] max 1
        m[0]
        m[1] -> \"d\"[0] max 1
        m[2]
        d[0] mesh entry
        t[0] share_input_of \"d\"[0]";
    let expected = ["a0.0@0", "b0.0@1", "m0.0@1", "m1.0@1", "m1.0@2", "m2.0@2", "d0.0@3", "t0.0@3"];
    assert_eq!(instances_by(nodes, Schedule::Depth), expected);
    let to: [&[u32]; 8] = [&[1, 2, 3, 6, 7], &[4, 5, 6, 7], &[], &[6, 7], &[6, 7], &[], &[], &[]];
    assert_eq!(reached(nodes, Schedule::Depth), to);
    assert_eq!(instances_by("m[0] mesh entry", Schedule::Depth), ["m0.0@0"]);
}

#[test]
fn drains_split_consumers_of_many_recursion_levels() {
    // The levels of `r` are in the stages 1 to 6. In the array only `m[1]` receives their records.
    let nodes = "a[0] entry -> \"r\"[0] max 1, \"leaf\"[0] max 1, \"m\"[0] max 1
        r[0] recursion 5 -> \"r\"[0] max 1, \"leaf\"[0] max 1, \"m\"[1] max 1
        leaf[0] entry -> \"end\"[0] max 1
        m[0]
        m[1]
        end[0]";
    let expected = [
        "a0.0@0",
        "r0.0@1",
        "r0.1@2",
        "r0.2@3",
        "r0.3@4",
        "leaf0.0@4",
        "m0.0@4",
        "m1.0@4",
        "r0.4@5",
        "r0.5@6",
        "leaf0.0@7",
        "m1.0@7",
        "end0.0@8",
    ];
    // Six levels with at most five together are two times three.
    for most in [3, 4, 5] {
        assert_eq!(instances_by(nodes, Schedule::Drained(most)), expected, "{most}");
    }
    let to: [&[u32]; 13] = [
        &[1, 5, 6],
        &[2, 5, 7],
        &[3, 5, 7],
        &[4, 5, 7],
        &[8, 10, 11],
        &[12],
        &[],
        &[],
        &[9, 10, 11],
        &[10, 11],
        &[12],
        &[],
        &[],
    ];
    assert_eq!(reached(nodes, Schedule::Drained(3)), to);
    let settings = Settings { schedule: Schedule::Drained(3), ..Settings::default() };
    assert_eq!(plan(&graph(nodes).graph, &settings).unwrap().tables.entries, [0, 5], "the host sends to the first");
    assert_eq!(instances_by(nodes, Schedule::Drained(6)), instances_by(nodes, Schedule::Topological));
    // Records sent by the parts of a node also wait in parts, if there are too many.
    let of_end = |most: u32| {
        let all = instances_by(nodes, Schedule::Drained(most));
        all.into_iter().filter(|name| name.starts_with("end")).collect::<Vec<_>>()
    };
    assert_eq!(of_end(1), ["end0.0@3", "end0.0@4", "end0.0@5", "end0.0@6", "end0.0@7", "end0.0@8"]);
    assert_eq!(of_end(2), ["end0.0@6", "end0.0@8"]);
}

#[test]
fn drains_keep_recursive_array_and_mesh_nodes_whole() {
    let nodes = "a[0] entry -> \"r\"[0] max 1
        r[0] recursion 3 -> \"r\"[0] max 1, \"q\"[0] max 1, \"q\"[1] max 1, \"d\"[0] max 1
        q[0] recursion 1 -> \"q\"[0] max 1
        q[1]
        d[0] mesh";
    assert_eq!(instances_by(nodes, Schedule::Drained(1)), instances_by(nodes, Schedule::Topological));
    // A sharer has its node's queues.
    let shared = "r[0] entry recursion 1 -> \"r\"[0] max 1, \"leaf\"[0] max 1
        leaf[0]
        s[0] share_input_of \"leaf\"[0]";
    let expected = ["r0.0@0", "r0.1@1", "leaf0.0@1", "s0.0@1", "leaf0.0@2", "s0.0@2"];
    assert_eq!(instances_by(shared, Schedule::Drained(1)), expected);
}

/// Checks the figures of the design: dispatches of nodes by depth, with drains, and topologically.
#[test]
fn schedules_differ_in_dispatch_counts() {
    let schedules = [Schedule::Depth, Schedule::Drained(4), Schedule::Topological];
    let all = |nodes: &str| schedules.map(|by| instances_by(nodes, by).len());
    let elements = |count: u32| (0..count).map(|i| format!("m[{i}]\n")).collect::<String>();
    assert_eq!(all(&format!("a[0] entry -> \"m\"[0] array 100 max 1\n{}", elements(100))), [101, 101, 101]);
    let recursive = "r[0] entry recursion 16 -> \"r\"[0] max 1, \"leaf\"[0] max 1
        leaf[0] -> \"final\"[0] max 1
        final[0]";
    assert_eq!(all(recursive), [51, 24, 19]);
    // All but the first receive records. By depth, 16 edges lead to the next level, and 17 each to the leaf and the
    // last node. Otherwise a level sends to the next level and to one leaf, and the leaves, five with drains, send to
    // one last node.
    assert_eq!(schedules.map(|by| reached(recursive, by).concat().len()), [50, 16 + 17 + 5, 16 + 17 + 1]);
    let chain = |count: u32, also: &str| -> String {
        let next = |i: u32| if i + 1 < count { format!("\"n{}\"[0] max 1", i + 1) } else { String::new() };
        let line = |i: u32| format!("n{i}[0] {} -> {}, {also}\n", if i == 0 { "entry" } else { "" }, next(i));
        (0..count).map(line).collect()
    };
    assert_eq!(all(&chain(31, "")), [31, 31, 31]);
    let reached = chain(8, "\"m\"[0] array 256 max 1") + &elements(256);
    assert_eq!(all(&reached), [2048 + 8, 256 + 8, 256 + 8]);
}

#[test]
fn recursion_levels_are_instances_before_their_targets() {
    let nodes = "r[0] entry recursion 2 -> \"r\"[0] max 2, \"leaf\"[0] max 1
        leaf[0]";
    assert_eq!(instances(nodes), ["r0.0@0", "r0.1@1", "r0.2@2", "leaf0.0@3"]);
    let plan = plan(&graph(nodes).graph, &Settings::default()).unwrap();
    let t = &plan.tables;
    let targets = |instance: usize| {
        let row = &t.instances[instance];
        let outputs = &t.outputs[row.first_output as usize..][..row.output_count as usize];
        outputs.iter().map(|o| t.target(o, 0)).collect::<Vec<_>>()
    };
    // Level by level; the last has no level to recurse to.
    assert_eq!(targets(0), [Some(1), Some(3)]);
    assert_eq!(targets(1), [Some(2), Some(3)]);
    assert_eq!(targets(2), [None, Some(3)]);
    assert_eq!(t.instances.iter().map(|i| i.remaining_levels).collect::<Vec<_>>(), [2, 1, 0, 0]);
    // Every level is a producer of the leaf.
    let leaf = &t.queues[3];
    let edges = &t.edges[leaf.first_edge as usize..][..leaf.edge_count as usize];
    assert_eq!(edges.iter().map(|e| (e.instance, e.max_records)).collect::<Vec<_>>(), [(0, 1), (1, 1), (2, 1)]);
}

#[test]
fn elements_of_an_array_share_the_latest_stage() {
    let nodes = "a[0] entry -> \"m\"[0] array 2 max 4, \"b\"[0] max 1
        b[0] -> \"m\"[7] max 1
        m[0]
        m[1]
        m[7] -> \"end\"[0] max 1
        end[0]";
    assert_eq!(instances(nodes), ["a0.0@0", "b0.0@1", "m0.0@2", "m1.0@2", "m7.0@2", "end0.0@3"]);
}

#[test]
fn input_sharing_nodes_follow_the_queue_owner() {
    let nodes = "a[0] entry -> \"x\"[0] max 3
        y[0] share_input_of \"x\"[0] -> \"end\"[0] max 1
        b[0] -> \"end\"[0] max 1
        x[0] -> \"b\"[0] max 1
        end[0]";
    assert_eq!(instances(nodes), ["a0.0@0", "x0.0@1", "y0.0@1", "b0.0@2", "end0.0@3"]);
    let plan = plan(&graph(nodes).graph, &Settings::default()).unwrap();
    let queue = &plan.tables.queues[1];
    assert_eq!((queue.first_instance, queue.instance_count, queue.edge_count), (1, 2, 1));
}

#[test]
fn mesh_nodes_share_the_last_stage() {
    let nodes = "a[0] entry -> \"near\"[0] max 1, \"b\"[0] max 1, \"m\"[0] array 2 max 1
        near[0] mesh
        b[0] -> \"c\"[0] max 1
        c[0] -> \"m\"[1] max 1
        m[0] mesh
        m[1] mesh entry
        tally[0] share_input_of \"m\"[0]";
    let expected = ["a0.0@0", "b0.0@1", "c0.0@2", "near0.0@3", "m0.0@3", "tally0.0@3", "m1.0@3"];
    assert_eq!(instances(nodes), expected);
    let tables = plan(&graph(nodes).graph, &Settings::default()).unwrap().tables;
    assert_eq!(tables.mesh_stage, Some(3));
    // An entry's stage is the head of a segment.
    assert_eq!(tables.stages.iter().map(|s| s.segment).collect::<Vec<_>>(), [3, 0, 0, 1]);
    assert_eq!(instances("m[0] mesh entry"), ["m0.0@0"]);
    let tables = plan(&graph("a[0] entry").graph, &Settings::default()).unwrap().tables;
    assert_eq!(tables.mesh_stage, None);
    // A segment may launch as many workgroups together as may be drawn.
    let tables = plan(&graph("a[0] entry -> \"m\"[0] max 1\nm[0] mesh").graph, &Settings::default()).unwrap().tables;
    assert_eq!(tables.stages.iter().map(|s| s.segment).collect::<Vec<_>>(), [2, 0]);
    assert_eq!(tables.queues[1].max_records, 1 << 22);
}

/// Checks that a stage with up to five records from one ends the segment, since usually fewer come, unless all of them
/// are small.
#[test]
fn segments_end_before_stages_that_amplify() {
    let segments = |records: u32, bytes: u32| {
        let nodes = format!(
            "a[0] entry -> \"b\"[0] max 1
            b[0] -> \"c\"[0] max {records}
            c[0] -> \"d\"[0] max 1
            d[0]"
        );
        let settings = Settings { segment_bytes: bytes, ..Settings::default() };
        let tables = plan(&graph(&nodes).graph, &settings).unwrap().tables;
        tables.stages.iter().map(|stage| stage.segment).collect::<Vec<_>>()
    };
    // Threads of a workgroup have a record each.
    let record = wgc_abi::tables::THREAD_GROUP
        * plan(&graph("a[0] entry").graph, &Settings::default()).unwrap().tables.queues[0].stride;
    assert_eq!(segments(4, 1 << 20), [4, 0, 0, 0]);
    // Until the end of b there are 1 + 5 records for each record of the head, and until the end of c 1 + 5 + 5.
    assert_eq!(segments(5, 16 * 6 * record), [4, 0, 0, 0]);
    assert_eq!(segments(5, 16 * 6 * record - 1), [1, 3, 0, 0]);
    assert_eq!(segments(4, 16 * 6 * record - 1), [4, 0, 0, 0]);
    // Even without the rule, the limit on bytes holds.
    assert_eq!(segments(4, 9 * record - 1), [2, 0, 2, 0]);
}

#[test]
fn shared_budgets_count_once_per_queue() {
    let nodes = "a[0] entry -> \"x\"[0] max 5, \"x\"[0] max 1 shared_with 0, \"x\"[0] max 2
        x[0]";
    let plan = plan(&graph(nodes).graph, &Settings::default()).unwrap();
    assert_eq!(plan.tables.edges.iter().map(|e| e.max_records).collect::<Vec<_>>(), [5, 2]);
    assert_eq!(plan.tables.outputs.iter().map(|o| o.max_records).collect::<Vec<_>>(), [5, 5, 2]);
}

/// Returns the members by spill, and the edges and charges of each.
fn spills(nodes: &str, direct_targets: u32) -> Vec<String> {
    let settings = Settings { direct_targets, segment_bytes: 0, ..Settings::default() };
    let plan = plan(&graph(nodes).graph, &settings).unwrap();
    let t = &plan.tables;
    let of_spill = |(number, spill): (usize, &wgc_abi::tables::SpillRow)| {
        let members = &t.members[spill.first_member as usize..][..spill.member_count as usize];
        let edges = &t.edges[spill.first_edge as usize..][..spill.edge_count as usize];
        let edges: Vec<_> = edges.iter().map(|e| (e.instance, e.max_records)).collect();
        let charges = t.instances.iter().enumerate().flat_map(|(instance, row)| {
            let charges = &t.charges[row.first_charge as usize..][..row.charge_count as usize];
            charges.iter().filter(|c| c.spill as usize == number).map(move |c| (instance, c.max_records))
        });
        format!("{members:?} from {edges:?}, charged {:?}", charges.collect::<Vec<_>>())
    };
    assert!(wgc_abi::tables::Tables::decode(&t.encode()).is_ok(), "the tables are consistent");
    t.spills.iter().enumerate().map(of_spill).collect()
}

#[test]
fn arrays_above_the_direct_target_limit_share_a_spill() {
    // Queues: a 0, b 1, m 2 to 6, n 7 and 8. The second output of `a` has its own budget. The output of `b` reaches one
    // member, and the two of `n` share a budget with one to `m`.
    let nodes =
        "a[0] entry -> \"m\"[0] array 5 max 7, \"m\"[3] max 2, \"b\"[0] max 1, \"n\"[0] array 2 max 7 shared_with 0
        b[0] -> \"m\"[1] max 3
        m[0] -> \"n\"[0] max 1
        m[1]
        m[2]
        m[3]
        m[4]
        n[0]
        n[1]";
    let m = "[2, 3, 4, 5, 6] from [(0, 7), (0, 2), (1, 3)], charged [(0, 9), (1, 3)]";
    assert_eq!(spills(nodes, 4), [m]);
    assert_eq!(spills(nodes, 5), [""; 0]);
    // Targets of a budget that are consumed in another stage are full at another time, so they have another spill.
    assert_eq!(spills(nodes, 1), [m, "[7, 8] from [(0, 7), (2, 1)], charged [(0, 7), (2, 1)]"]);
}

#[test]
fn large_arrays_need_fewer_pages_with_a_shared_spill() {
    let elements: String = (0..100).map(|i| format!("m[{i}]\n")).collect();
    let graph = graph(&format!("a[0] entry -> \"m\"[0] array 100 max 64\n{elements}"));
    let pages = |direct_targets| {
        let settings = Settings { page_bytes: 16 << 10, direct_targets, ..Settings::default() };
        plan(&graph.graph, &settings).unwrap().tables.min_pages
    };
    // 64 threads of 64 records of 8 bytes are 32 KiB, and one more page holds an entry record.
    assert_eq!(pages(100), 100 * 2 + 1);
    // With eight bytes before each record they are 64 KiB, and the index of four each is 16 KiB.
    assert_eq!(pages(99), 4 + 1 + 1);
}

#[test]
fn pages_hold_the_slot_of_the_largest_record() {
    let text = "struct R size 16384 align 4 { a: [u32; 4096 stride 4] @0 }
        node \"a\"[0] = @f { launch broadcasting threads 1 1 1 grid fixed 1 1 1 entry output o: R -> \"m\"[0] array 2 max 1 }
        node \"m\"[0] = @f { launch broadcasting threads 1 1 1 grid fixed 1 1 1 input in: R max 1 }
        node \"m\"[1] = @f { launch broadcasting threads 1 1 1 grid fixed 1 1 1 input in: R max 1 }
        fn @f() -> void {}";
    let graph = parse("large", text).graph;
    let page = |direct_targets| {
        let tables =
            plan(&graph, &Settings { page_bytes: 1 << 10, direct_targets, ..Settings::default() }).unwrap().tables;
        (tables.page_bytes, tables.spills.first().map(|s| s.slots))
    };
    assert_eq!(page(2), (16 << 10, None));
    assert_eq!(page(1), (32 << 10, Some(1)));
}

#[test]
fn far_and_sparse_elements_are_found_by_search() {
    let nodes = "a[0] entry -> \"m\"[0] array unbounded max 1
        m[3]
        m[4000000]";
    let plan = plan(&graph(nodes).graph, &Settings::default()).unwrap();
    let t = &plan.tables;
    assert_eq!(t.maps, [3, 1, 4_000_000, 2]);
    let found: Vec<_> = [0, 3, 4, 4_000_000].iter().map(|&i| t.target(&t.outputs[0], i)).collect();
    assert_eq!(found, [None, Some(1), None, Some(2)]);
}

#[test]
fn cyclic_or_unschedulable_graphs_are_errors() {
    let problem = |nodes: &str| {
        let by = |schedule| match plan(&graph(nodes).graph, &Settings { schedule, ..Settings::default() }) {
            Err(EmuError::Graph { node, problem }) => (node.name.to_string(), problem),
            other => panic!("{other:?}"),
        };
        let found = by(Schedule::Topological);
        assert_eq!(by(Schedule::Depth), found);
        found
    };
    let cycle = "a[0] entry -> \"b\"[0] max 1
        b[0] -> \"c\"[0] max 1
        c[0] -> \"b\"[0] max 1";
    assert!(matches!(problem(cycle), (name, GraphProblem::Cycle) if name == "b" || name == "c"));
    let array = "m[0] entry -> \"m\"[1] max 1
        m[1]";
    assert_eq!(problem(array), ("m".to_owned(), GraphProblem::Cycle));
    let through_sharer = "x[0] entry
        y[0] share_input_of \"x\"[0] -> \"x\"[0] max 1";
    assert_eq!(problem(through_sharer), ("y".to_owned(), GraphProblem::Cycle));
    let behind = "a[0] entry -> \"m\"[0] max 1
        m[0] mesh
        s[0] share_input_of \"m\"[0] -> \"b\"[0] max 1
        b[0]";
    let mesh = wgc_ir::NodeId { name: "m".into(), index: 0 };
    assert_eq!(problem(behind), ("s".to_owned(), GraphProblem::SharedMesh(mesh)));
    // Outputs without a target are never late.
    assert!(plan(&graph(behind.strip_suffix("b[0]").unwrap()).graph, &Settings::default()).is_ok());
}

/// Returns nodes `name[index] = function` with records from one start node, in declaration order. Functions `@v N`
/// write the number N to a local.
fn numbered(nodes: &[(&str, &str)], rest: &str) -> String {
    let mut text = String::from("struct R size 4 align 4 { a: u32 @0 }\nfn @start() -> void {\n}\n");
    let names: Vec<String> = nodes.iter().map(|(node, _)| node.replacen('[', "\"[", 1)).collect();
    text += "node \"start\"[0] = @start { launch thread threads 1 1 1 entry\n input in: R max 1\n";
    for (number, name) in names.iter().enumerate() {
        text += &format!("output o{number}: R -> \"{name} max 1\n");
    }
    text += "}\n";
    for ((_, function), name) in nodes.iter().zip(&names) {
        let (symbol, number) = function.split_once(' ').unwrap();
        if !text.contains(&format!("fn @{symbol}(")) {
            text += &format!("fn @{symbol}() -> void {{\n  local $0 {symbol}: u32\n");
            text += &format!("  %0: u32 = {number}\n  %1: ref<function, u32> = local $0\n  store %1, %0\n}}\n");
        }
        text += &format!("node \"{name} = @{symbol} {{ launch thread threads 1 1 1\n input in: R max 1\n}}\n");
    }
    text + rest
}

/// Returns first instance and length of each joint dispatch, the nodes' instances in order, and the nodes' modules.
fn runs_of(text: &str, settings: Settings) -> (Vec<(u32, u32)>, Vec<String>, Vec<String>) {
    let module = parse("runs", text);
    let options = EmulatedOptions { plan: settings, ..EmulatedOptions::default() };
    let rewritten = emulated_graph(&module, &library(), Vec::new(), &options).expect("runs");
    for shader in &rewritten.shaders {
        verify(&shader.file, &shader.module);
    }
    let tables = &rewritten.plan.tables;
    assert_eq!(wgc_abi::tables::Tables::decode(&tables.encode()).as_ref(), Ok(tables));
    let runs = tables.runs.iter().map(|run| (run.first_instance, run.instance_count)).collect();
    let name = |i: &plan::Instance| {
        let id = &module.graph.nodes[i.node].id;
        format!("{}{}", id.name, id.index)
    };
    let files = rewritten.shaders.iter().filter(|s| s.kernel.is_none()).map(|s| s.file.clone());
    (runs, rewritten.plan.instances.iter().map(name).collect(), files.collect())
}

#[test]
fn adjacent_nodes_with_identical_code_share_a_dispatch() {
    // `b` has another number, `d` has the code of `a` under another name.
    let nodes = [("a[0]", "f 1"), ("b[0]", "g 2"), ("a[1]", "h 1"), ("c[0]", "i 3"), ("a[2]", "j 1"), ("d[0]", "k 1")];
    let text = numbered(&nodes, "");
    let joint = |joint_dispatch| Settings { joint_dispatch, ..Settings::default() };
    let files = |names: &[&str]| names.iter().map(|name| format!("nodes/{name}.spv")).collect::<Vec<_>>();
    let (runs, instances, modules) = runs_of(&text, joint(2));
    assert_eq!((runs, modules), (vec![(1, 4)], files(&["start", "a", "b", "c"])));
    assert_eq!(instances, ["start0", "a0", "a1", "a2", "d0", "b0", "c0"]);
    assert_eq!(runs_of(&text, joint(4)).0, [(1, 4)]);
    // There are too few, or runs are off. Everything is as declared, and each shader contains its own numbers.
    let apart = files(&["start", "a", "b", "a_1", "c", "a_2", "d"]);
    for settings in [joint(5), joint(0), Settings { guarded: true, ..joint(2) }] {
        let (runs, instances, modules) = runs_of(&text, settings);
        assert_eq!((runs, modules), (vec![], apart.clone()), "{settings:?}");
        assert_eq!(instances, ["start0", "a0", "b0", "a1", "c0", "a2", "d0"]);
    }
}

#[test]
fn instances_that_share_their_queue_have_no_joint_dispatch() {
    let nodes = [("a[0]", "f 1"), ("a[1]", "f 1"), ("a[2]", "f 1"), ("a[3]", "f 1")];
    let sharer = "node \"s\"[0] = @f { launch thread threads 1 1 1 share_input_of \"a\"[1]\n input in: R max 1\n}\n";
    let joint = Settings { joint_dispatch: 2, ..Settings::default() };
    let (runs, instances, _) = runs_of(&numbered(&nodes, sharer), joint);
    assert_eq!((runs, instances), (vec![(1, 3)], ["start0", "a0", "a2", "a3", "a1", "s0"].map(String::from).to_vec()));
    assert_eq!(runs_of(&numbered(&nodes, ""), joint).0, [(1, 4)]);
}
