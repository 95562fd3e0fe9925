//! Comparison of expectations with the output of mesh nodes. Meshes are compared regardless of the order of workgroups,
//! but each vertex and primitive of a mesh at its position. Also writes meshes as JSON, for people.

use std::fmt::Write as _;
use std::sync::Arc;

use crate::record_json;
use rustc_hash::FxHashMap;
use wgc_abi::{LayoutType, NodeName};

use super::compare::counted;
use super::error::{Checked, Fault};
use super::layout;
use super::model::{ExpectedMesh, MESH_ARRAYS};
use super::plan::MeshCheck;
use crate::mesh::{Mesh, MeshArray, MeshShape, MeshValue, Meshes};
use crate::numbers::{Number, Scalar};
use wgc_json::{Position, Value, ValueKind};

/// An expectation, adapted to the mesh layout of its node.
pub(super) struct Test<'p> {
    check: &'p MeshCheck,
    /// Arrays that are compared, and in each the values by name.
    compared: Vec<(MeshArray, Vec<String>)>,
    /// Each expected mesh: sizes of the arrays, then the numbers.
    rows: Vec<ElementRow>,
}

#[derive(Clone, Debug, PartialEq)]
struct ElementRow {
    sizes: Vec<usize>,
    numbers: Vec<Number>,
}

/// The difference of two rows; larger is worse.
type Key = (Vec<usize>, Vec<u64>);

impl ElementRow {
    fn key(&self) -> Key {
        (self.sizes.clone(), self.numbers.iter().map(|n| n.class()).collect())
    }
}

/// Meshes of the nodes that a check means, with their shapes.
fn of_check<'m, T>(check: &MeshCheck, all: &'m [(NodeName, T)]) -> impl Iterator<Item = &'m T> {
    let (node, index) = (check.node.clone(), check.index);
    let is = move |name: &NodeName| name.name == node && index.is_none_or(|index| name.index == index);
    all.iter().filter(move |(name, _)| is(name)).map(|(_, value)| value)
}

/// Finds the value that a name in the file means: its own name, or its destination.
fn find<'s>(shape: &'s MeshShape, array: MeshArray, name: &str) -> Option<(usize, &'s MeshValue)> {
    let mut all = shape.values.iter().enumerate().filter(|(_, value)| value.array == array);
    if array == MeshArray::Indices {
        return all.next();
    }
    all.clone().find(|(_, value)| value.name == name).or_else(|| all.find(|(_, v)| v.place.to_string() == name))
}

/// Lists the numbers of a type: position and kind of each, in the order of its layout, and its path in the file.
fn scalars(ty: &LayoutType, offset: usize, path: &str, out: &mut Vec<(usize, Scalar, String)>) {
    match ty {
        LayoutType::Scalar(scalar) | LayoutType::Bits { scalar, .. } => {
            out.push((offset, Scalar::of(*scalar), path.to_owned()));
        }
        LayoutType::Vector { scalar, components } => {
            let size = scalar.size() as usize;
            let all = 0..*components as usize;
            out.extend(all.map(|i| (offset + i * size, Scalar::of(*scalar), format!("{path}[{i}]"))));
        }
        LayoutType::Matrix { scalar, rows, columns, row_major, stride } => {
            for (row, column) in (0..*rows).flat_map(|row| (0..*columns).map(move |column| (row, column))) {
                let inside = wgc_abi::layout::matrix_offset(*scalar, *row_major, *stride, row, column) as usize;
                out.push((offset + inside, Scalar::of(*scalar), format!("{path}[{row}][{column}]")));
            }
        }
        LayoutType::Array { element, count, stride } => {
            for i in 0..*count as usize {
                scalars(element, offset + i * *stride as usize, &format!("{path}[{i}]"), out);
            }
        }
        LayoutType::Struct(layout) => {
            for field in &layout.fields {
                scalars(&field.ty, offset + field.offset as usize, &format!("{path}.{}", field.name), out);
            }
        }
    }
}

impl<'p> Test<'p> {
    /// Adapts a check to the mesh layouts of its nodes; `shapes` is empty if none can run.
    pub fn new(check: &'p MeshCheck, shapes: &[(NodeName, Arc<MeshShape>)]) -> Checked<Self> {
        let mut test = Test { check, compared: Vec::new(), rows: Vec::new() };
        let Some(expected) = &check.expected.meshes else { return Ok(test) };
        let Some(first) = expected.first() else { return Ok(test) };
        for (array, _) in &first.arrays {
            test.compared.push((*array, named_in(*array, expected)?));
        }
        for shape in of_check(check, shapes) {
            test.rows = expected.iter().map(|mesh| test.expected_row(shape, mesh)).collect::<Checked<_>>()?;
        }
        Ok(test)
    }

    fn expected_row(&self, shape: &MeshShape, mesh: &ExpectedMesh) -> Checked<ElementRow> {
        let mut row = ElementRow { sizes: Vec::new(), numbers: Vec::new() };
        for ((array, names), (_, elements)) in self.compared.iter().zip(&mesh.arrays) {
            row.sizes.push(elements.len());
            for name in names {
                for element in elements {
                    let (value, at) = member(*array, element, name)?;
                    let Some((_, known)) = find(shape, *array, name) else {
                        return Err(unknown(shape, *array, name, at));
                    };
                    row.numbers.extend(layout::leaves(&known.ty, value)?.iter().map(|leaf| leaf.number));
                }
            }
        }
        Ok(row)
    }

    fn found_row(&self, shape: &MeshShape, mesh: &Mesh) -> ElementRow {
        let mut numbers = Vec::new();
        let sizes = mesh.sizes(&self.compared);
        self.walk(shape, &sizes, |_, element, (index, size), (offset, scalar, _)| {
            let bytes = mesh.values.get(index).and_then(|bytes| bytes.get(element * size + offset..));
            numbers.push(scalar.load(bytes.unwrap_or_default()));
        });
        ElementRow { sizes, numbers }
    }

    /// Visits every number of a row in order, with the array, the element, and the value's index and bytes.
    fn walk(
        &self,
        shape: &MeshShape,
        sizes: &[usize],
        mut f: impl FnMut(MeshArray, usize, (usize, usize), &(usize, Scalar, String)),
    ) {
        for ((array, names), count) in self.compared.iter().zip(sizes) {
            for name in names {
                let Some((index, value)) = find(shape, *array, name) else { continue };
                let mut parts = Vec::new();
                let path = if name.is_empty() { String::new() } else { format!(".{name}") };
                scalars(&value.ty, 0, &path, &mut parts);
                for element in 0..*count {
                    parts.iter().for_each(|part| f(*array, element, (index, value.size()), part));
                }
            }
        }
    }

    /// Returns the node's name from the file.
    pub fn name(&self) -> &str {
        &self.check.name
    }

    /// Returns a description of the tested meshes, or the first difference.
    pub fn judge(&self, all: &[(NodeName, Meshes)]) -> Result<String, String> {
        let expected = &self.check.expected;
        let sum = |of: fn(&Meshes) -> u64| of_check(self.check, all).map(of).sum::<u64>();
        let totals = [
            ("workgroups", expected.groups, sum(|m| m.groups)),
            ("vertices", expected.vertices, sum(|m| m.vertices)),
            ("primitives", expected.primitives, sum(|m| m.primitives)),
        ];
        let mut tested = Vec::new();
        for (name, expected, found) in totals {
            match expected {
                Some(expected) if expected != found => {
                    return Err(format!("expected {expected} {name}, found {found}"));
                }
                Some(_) => tested.push(format!("{found} {name}")),
                None => {}
            }
        }
        if let Some(list) = &expected.meshes {
            self.compare(list.len(), all)?;
            tested.push(counted_meshes(list.len() as u64));
        }
        Ok(tested.join(", "))
    }

    fn compare(&self, expected: usize, all: &[(NodeName, Meshes)]) -> Result<(), String> {
        let kept = |meshes: &Meshes| meshes.list.len() as u64 == meshes.count;
        if !of_check(self.check, all).all(kept) {
            return Err("there are too many meshes to compare".to_owned());
        }
        let found: Vec<(&MeshShape, &Mesh)> = of_check(self.check, all)
            .flat_map(|meshes| meshes.list.iter().map(|mesh| (&*meshes.shape, mesh)))
            .collect();
        let rows: Vec<ElementRow> = found.iter().map(|(shape, mesh)| self.found_row(shape, mesh)).collect();
        // Rows of an empty list differ in their number alone.
        let mut open: FxHashMap<Key, Vec<usize>> = FxHashMap::default();
        for (index, row) in rows.iter().enumerate().rev() {
            open.entry(row.key()).or_default().push(index);
        }
        let mut missing = Vec::new();
        for (number, row) in self.rows.iter().enumerate() {
            if open.get_mut(&row.key()).and_then(Vec::pop).is_none() {
                missing.push((number, row));
            }
        }
        let mut surplus: Vec<usize> = open.into_values().flatten().collect();
        surplus.sort_unstable();
        let differ = match (missing.len(), expected) {
            (0 | 1, 1) => String::new(),
            (n, all) => format!(" ({n} of {} differ)", counted_meshes(all as u64)),
        };
        match (missing.first(), surplus.first().and_then(|at| found.get(*at))) {
            (None, None) => Ok(()),
            (None, Some((_, mesh))) => Err(format!(
                "expected {}, found {}: {} outputs an unexpected one",
                counted_meshes(expected as u64),
                found.len(),
                origin(mesh)
            )),
            (Some((number, _)), None) => Err(format!(
                "meshes[{number}]: no workgroup outputs it; {} found{differ}",
                counted_meshes(found.len() as u64)
            )),
            (Some((number, row)), Some(_)) => {
                let nearest = surplus.iter().filter_map(|at| Some((rows.get(*at)?, found.get(*at)?)));
                let Some((other, (shape, mesh))) = nearest.min_by_key(|(other, _)| distance(row, other)) else {
                    return Ok(());
                };
                let what = self.first_difference(row, other, shape, mesh);
                Err(format!("meshes[{number}]{what} (the nearest is from {}){differ}", origin(mesh)))
            }
        }
    }

    /// Describes the first difference between an expected mesh and a found one.
    fn first_difference(&self, expected: &ElementRow, found: &ElementRow, shape: &MeshShape, mesh: &Mesh) -> String {
        let sizes = self.compared.iter().zip(expected.sizes.iter().zip(&found.sizes));
        if let Some(((array, _), (expected, found))) = sizes.into_iter().find(|(_, (a, b))| a != b) {
            return format!(".{}: expected {expected}, found {found}", array.name());
        }
        let mut numbers = expected.numbers.iter().zip(&found.numbers);
        let mut text = String::new();
        self.walk(shape, &mesh.sizes(&self.compared), |array, element, _, (.., path)| {
            if let Some((expected, found)) = numbers.next()
                && text.is_empty()
                && expected.class() != found.class()
            {
                let _ = write!(text, ".{}[{element}]{path}: expected {expected}, found {found}", array.name());
            }
        });
        text
    }
}

impl Mesh {
    fn sizes(&self, compared: &[(MeshArray, Vec<String>)]) -> Vec<usize> {
        compared.iter().map(|(array, _)| self.count(*array) as usize).collect()
    }
}

/// Returns the numbers of sizes and of values that differ.
fn distance(a: &ElementRow, b: &ElementRow) -> (usize, usize) {
    let sizes = a.sizes.iter().zip(&b.sizes).filter(|(a, b)| a != b).count();
    (sizes, a.numbers.iter().zip(&b.numbers).filter(|(a, b)| a.class() != b.class()).count())
}

fn origin(mesh: &Mesh) -> String {
    let [x, y, z] = mesh.group;
    match mesh.record {
        Some(record) => format!("group {x} {y} {z}, record {record}"),
        None => format!("group {x} {y} {z} of a draw"),
    }
}

pub(super) fn counted_meshes(count: u64) -> String {
    format!("{count} {}", if count == 1 { "mesh" } else { "meshes" })
}

/// Returns the names of an array's expected values, the same in all of its elements.
fn named_in(array: MeshArray, meshes: &[ExpectedMesh]) -> Checked<Vec<String>> {
    let mut names: Option<Vec<String>> = None;
    let elements = meshes.iter().flat_map(|mesh| mesh.arrays.iter().filter(|(of, _)| *of == array));
    for element in elements.flat_map(|(_, elements)| elements) {
        let here = match (&element.kind, array) {
            // All that indices have is the one value.
            (_, MeshArray::Indices) => vec![String::new()],
            (ValueKind::Object(members), _) => {
                let mut names: Vec<String> = members.iter().map(|m| m.key.clone()).collect();
                names.sort();
                names
            }
            _ => {
                let message = format!("expected an object with values by name, found {}", element.describe());
                return Err(Fault::new(element.at, message));
            }
        };
        match &names {
            Some(names) if *names != here => {
                return Err(Fault::new(element.at, format!("all {} must have the same values", array.name())));
            }
            _ => names = Some(here),
        }
    }
    Ok(names.unwrap_or_default())
}

/// Returns a value of an expected element, and its position in the file.
fn member<'v>(array: MeshArray, element: &'v Value, name: &str) -> Checked<(&'v Value, Position)> {
    if array == MeshArray::Indices {
        return Ok((element, element.at));
    }
    let ValueKind::Object(members) = &element.kind else { return Err(Fault::new(element.at, "expected an object")) };
    let found = members.iter().find(|member| member.key == name);
    found
        .map(|member| (&member.value, member.key_at))
        .ok_or_else(|| Fault::new(element.at, format!("missing {name:?}")))
}

fn unknown(shape: &MeshShape, array: MeshArray, name: &str, at: Position) -> Fault {
    let known: Vec<&str> = shape.values.iter().filter(|v| v.array == array).map(|v| v.name.as_str()).collect();
    let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
    let what = array.name();
    Fault::new(at, format!("{what} of this node have no value {name:?}; they have: {known}"))
}

/// Writes a line for people.
pub(super) fn summary(node: &NodeName, meshes: &Meshes) -> String {
    let idle = meshes.groups - meshes.count;
    let empty = if idle == 0 { String::new() } else { format!(" of {}", counted(meshes.groups as usize, "workgroup")) };
    format!(
        "node {node}: {}{empty}, {}, {}",
        counted_meshes(meshes.count),
        match meshes.vertices {
            1 => "1 vertex".to_owned(),
            n => format!("{n} vertices"),
        },
        counted(meshes.primitives as usize, "primitive")
    )
}

/// Writes all kept meshes of a node in the syntax of an expectation, with their origins.
pub(super) fn to_json(meshes: &Meshes) -> String {
    let of = |mesh: &Mesh| {
        let mut out = format!("{{ \"group\": {:?}", mesh.group);
        if let Some(record) = mesh.record {
            let _ = write!(out, ", \"record\": {record}");
        }
        for array in MESH_ARRAYS {
            let values = meshes.shape.values.iter().zip(&mesh.values).filter(|(value, _)| value.array == array);
            let values: Vec<_> = values.collect();
            if values.is_empty() {
                continue;
            }
            let element = |n: usize| {
                let json = |(value, bytes): &(&MeshValue, &Vec<u8>)| {
                    let here = bytes.get(n * value.size()..).unwrap_or_default();
                    record_json::to_json(&value.ty, here)
                };
                match (array, &values[..]) {
                    (MeshArray::Indices, [only, ..]) => json(only),
                    _ => {
                        let named = values.iter().map(|value| format!("{:?}: {}", value.0.name, json(value)));
                        format!("{{ {} }}", named.collect::<Vec<_>>().join(", "))
                    }
                }
            };
            let elements: Vec<String> = (0..mesh.count(array) as usize).map(element).collect();
            let _ = write!(out, ", {:?}: [{}]", array.name(), elements.join(", "));
        }
        out + " }"
    };
    format!("[{}]", meshes.list.iter().map(of).collect::<Vec<_>>().join(", "))
}
