//! Tests of mesh node output: comparison regardless of the order of workgroups, and display.

use std::path::Path;
use std::sync::Arc;

use spirv::BuiltIn;
use wgc_abi::interface::{Interface, NodeLaunch};
use wgc_abi::{LayoutScalar, NodeName};

use super::super::{Dispatched, Outputs, Report, RunError, RunFile, Verdict, execute};
use super::{Graph, message, node, parsed, scalar, vector};
use crate::mesh::{Mesh, MeshArray, MeshPlace, MeshShape, MeshValue, Meshes};

fn draw() -> NodeName {
    NodeName { name: "draw".to_owned(), index: 0 }
}

fn interface() -> Interface {
    let mut draw = node("draw", 0, true, None);
    draw.launch = NodeLaunch::Mesh;
    Interface { nodes: vec![draw, node("leaf", 0, false, None)], ..Interface::default() }
}

/// Lines between points of two floats, with a number each.
fn shape() -> Arc<MeshShape> {
    let value = |name: &str, place, array, ty| MeshValue {
        name: name.to_owned(),
        place,
        array,
        ty,
        offset: 0,
        stride: 0,
        length: 0,
    };
    let values = vec![
        value("at", MeshPlace::BuiltIn(BuiltIn::Position), MeshArray::Vertices, vector(LayoutScalar::F32, 2)),
        value(
            "lines",
            MeshPlace::BuiltIn(BuiltIn::PrimitiveLineIndicesEXT),
            MeshArray::Indices,
            vector(LayoutScalar::U32, 2),
        ),
        value("id", MeshPlace::Location(4, 0), MeshArray::Primitives, scalar(LayoutScalar::I32)),
    ];
    Arc::new(MeshShape { corners: 2, max_vertices: 8, max_primitives: 8, values })
}

/// Returns one line from (x, 0) to (x, 1).
fn line(group: u32, x: f32, id: i32) -> Mesh {
    let at = [x, 0.0, x, 1.0].iter().flat_map(|f| f.to_le_bytes()).collect();
    let values = vec![at, vec![0, 0, 0, 0, 1, 0, 0, 0], id.to_le_bytes().to_vec()];
    Mesh { group: [group, 0, 0], record: Some(7), vertices: 2, primitives: 1, values }
}

fn dispatched() -> Dispatched {
    let mut meshes = Meshes::of(shape());
    [line(0, 5.0, -1), line(1, 6.0, 2), Mesh::default()].into_iter().for_each(|mesh| meshes.add(mesh));
    Dispatched { meshes: Some(vec![(draw(), meshes)]), ..Dispatched::default() }
}

fn run(expect: &str, print: &[&str]) -> Result<Report, RunError> {
    let mut graph = Graph::new(|_| Ok(dispatched()));
    graph.shapes = vec![(draw(), shape())];
    let text = format!("{{\"dispatch\": [{{\"inputs\": []}}], \"expect_meshes\": {expect}}}");
    let outputs = Outputs { print: print.iter().map(|n| (*n).to_owned()).collect(), out_dir: None };
    let file = RunFile::parse(text, Path::new("folder/test.run.json"))?;
    execute(&file, &interface(), &mut graph, &outputs)
}

fn judge(expect: &str) -> Verdict {
    let report = run(&format!("{{\"draw\": {expect}}}"), &[]).unwrap_or_else(|e| panic!("{expect}: {e}"));
    assert_eq!(report.outcomes[0].subject, "meshes of draw");
    report.outcomes[0].verdict.clone()
}

fn mesh(x: f32, id: i32) -> String {
    format!(
        "{{\"vertices\": [{{\"at\": [{x}, 0]}}, {{\"at\": [{x}, 1]}}], \"indices\": [[0, 1]], \
         \"primitives\": [{{\"id\": {id}}}]}}"
    )
}

#[test]
fn meshes_in_any_order() {
    let pass = |what: &str| Verdict::Pass(what.to_owned());
    let fail = |what: &str| Verdict::Fail(what.to_owned());
    let list = |meshes: &[String]| judge(&format!("{{\"meshes\": [{}]}}", meshes.join(", ")));
    assert_eq!(list(&[mesh(5.0, -1), mesh(6.0, 2)]), pass("2 meshes"));
    assert_eq!(list(&[mesh(6.0, 2), mesh(5.0, -1)]), pass("2 meshes"));
    assert_eq!(
        list(&[mesh(6.0, 2), mesh(5.0, 3)]),
        fail(
            "meshes[1].primitives[0].id: expected 3, found -1 (the nearest is from group 0 0 0, record 7) (1 of 2 meshes differ)"
        )
    );
    assert_eq!(
        list(&[mesh(6.0, 2), mesh(6.0, 2)]),
        fail(
            "meshes[1].vertices[0].at[0]: expected 6.0, found 5.0 (the nearest is from group 0 0 0, record 7) (1 of \
             2 meshes differ)"
        )
    );
    assert_eq!(
        list(&[mesh(6.0, 2)]),
        fail("expected 1 mesh, found 2: group 0 0 0, record 7 outputs an unexpected one")
    );
    assert_eq!(
        list(&[mesh(6.0, 2), mesh(5.0, -1), mesh(5.0, -1)]),
        fail("meshes[2]: no workgroup outputs it; 2 meshes found (1 of 3 meshes differ)")
    );
    assert_eq!(list(&[]), fail("expected 0 meshes, found 2: group 0 0 0, record 7 outputs an unexpected one"));
}

#[test]
fn mesh_expectations_compare_counts_and_values() {
    let pass = |what: &str| Verdict::Pass(what.to_owned());
    let fail = |what: &str| Verdict::Fail(what.to_owned());
    assert_eq!(
        judge("{\"groups\": 3, \"vertices\": 4, \"primitives\": 2}"),
        pass("3 workgroups, 4 vertices, 2 primitives")
    );
    assert_eq!(judge("{\"vertices\": 5}"), fail("expected 5 vertices, found 4"));
    // A value may be named by its destination; unnamed values are not compared.
    let primitive = |id: &str| format!("{{\"primitives\": [{{\"location 4\": {id}}}]}}");
    assert_eq!(judge(&format!("{{\"meshes\": [{}, {}]}}", primitive("2"), primitive("-1"))), pass("2 meshes"));
    assert_eq!(
        judge("{\"meshes\": [{\"vertices\": [{}, {}]}, {\"vertices\": [{}, {}, {}]}]}"),
        fail(
            "meshes[1].vertices: expected 3, found 2 (the nearest is from group 1 0 0, record 7) (1 of 2 meshes differ)"
        )
    );
    assert_eq!(
        judge("{\"meshes\": [{\"indices\": [[0, 1]]}, {\"indices\": [[1, 0]]}]}"),
        fail(
            "meshes[1].indices[0][0]: expected 1, found 0 (the nearest is from group 1 0 0, record 7) (1 of 2 meshes differ)"
        )
    );
}

#[test]
fn invalid_mesh_expectations_are_rejected() {
    let error = |expect: &str| message(run(expect, &[]).expect_err(expect));
    for (expect, wanted) in [
        ("{\"leaf\": {\"groups\": 1}}", "leaf is not a mesh node"),
        ("{\"none\": {\"groups\": 1}}", "none is not a node of the graph; it has: draw, leaf"),
        ("{\"draw\": {}}", "an expectation of a mesh node needs one of: groups, vertices, primitives, meshes"),
        (
            "{\"draw\": {\"meshes\": [{\"vertices\": [{\"to\": [1, 2]}]}]}}",
            "vertices of this node have no value \"to\"; they have: at",
        ),
        ("{\"draw\": {\"meshes\": [{\"vertices\": [{\"at\": [1]}]}]}}", "float2, an array of 2 values, found 1 values"),
        (
            "{\"draw\": {\"meshes\": [{\"vertices\": [{\"at\": [1, 2]}, {}]}]}}",
            "all vertices must have the same values",
        ),
        ("{\"draw\": {\"meshes\": [{\"vertices\": []}, {}]}}", "all meshes of a list must have the same members"),
        ("{\"draw\": {\"meshes\": [{\"vertices\": [3]}]}}", "expected an object with values by name, found a number"),
    ] {
        let text = error(expect);
        assert!(text.ends_with(wanted), "{expect}: {text}");
    }
}

#[test]
fn mesh_output_is_printed_in_the_report() {
    let report = run("{\"draw\": {\"groups\": 3}}", &["draw"]).unwrap();
    assert_eq!(
        report.to_string(),
        "draw = [{ \"group\": [0, 0, 0], \"record\": 7, \"vertices\": [{ \"at\": [5.0, 0.0] }, { \"at\": [5.0, 1.0] }], \
         \"indices\": [[0, 1]], \"primitives\": [{ \"id\": -1 }] }, { \"group\": [1, 0, 0], \"record\": 7, \"vertices\": [{ \
         \"at\": [6.0, 0.0] }, { \"at\": [6.0, 1.0] }], \"indices\": [[0, 1]], \"primitives\": [{ \"id\": 2 }] }]\n\
         node draw: 2 meshes of 3 workgroups, 4 vertices, 2 primitives\npass  meshes of draw: 3 workgroups\n\
         ran on memory; 1 expectation held\n"
    );
}

#[test]
fn a_device_without_meshes_skips_them() {
    let mut graph = Graph::new(|_| Ok(Dispatched::default()));
    let text =
        "{\"dispatch\": [{\"inputs\": []}], \"expect_meshes\": {\"draw\": {\"meshes\": [{\"vertices\": [{}]}]}}}";
    let report = execute(&parsed(text), &interface(), &mut graph, &Outputs::default()).unwrap();
    assert!(matches!(report.outcomes[0].verdict, Verdict::Skipped(_)), "{report}");
}
