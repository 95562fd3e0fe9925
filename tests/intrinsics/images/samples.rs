//! Rows that use a sampler: samples, comparisons, gathers, levels of detail.

use super::arguments::Arguments;
use super::objects::{self, At, Image, Texels};
use super::reference::{self, EXACT, Lod, Query, ROUGH, ROUGH_CUBE, View};
use super::texels::{OFFSETS, literal};
use crate::harness::{Case, Place, Shape, Want};
use crate::kind::Kind::*;
use crate::list::Row;
use std::rc::Rc;
use wgc_runtime::device::AddressMode;

type Floats = Rc<[[f64; 4]]>;

/// Layers, which are rounded and clamped.
const LAYERS: [f64; 8] = [0.0, 1.0, 2.0, 0.4, 1.6, -3.0, 7.2, 1.0];
const LEVELS: [f64; 9] = [0.0, 1.0, 0.25, 0.5, -1.0, 1.75, 2.5, 9.0, 0.875];
const BIASES: [f64; 7] = [0.0, 1.0, -1.0, 0.5, 2.0, -3.0, 0.25];
const LEAST: [f64; 6] = [0.0, 0.5, 1.0, 1.75, 3.0, -2.0];
/// Number of texels that a coordinate moves in a quad.
const STEPS: [f64; 10] = [0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 5.0, 8.0, 0.1, 12.0];
/// Distance that a direction moves on a face, which spans -1 to 1.
const FACE_STEPS: [f64; 6] = [0.1, 0.25, 0.5, 1.0, 0.75, 0.125];
/// Positions on a face: inside, beyond one edge, beyond none in a smaller level.
const ON_FACE: [[f64; 2]; 8] =
    [[0.1, -0.3], [0.6, 0.55], [-0.45, 0.2], [0.93, 0.07], [-0.05, -0.91], [0.3, -0.66], [-0.7, -0.15], [0.02, 0.97]];

/// Returns positions along an axis of `size` texels: centres, edges, between, outside on either side. Some are so far
/// away that single precision cannot resolve texels, though 32 bits can still count them.
fn along(size: f64, which: usize, near: bool) -> f64 {
    let places = [
        0.5,
        0.0,
        size,
        size - 0.5,
        -0.5,
        -0.25,
        -1.75,
        size + 0.75,
        0.3,
        1.0,
        2.61,
        size / 2.0 + 0.1,
        -2.0 * size + 0.4,
        3.0 * size + 1.2,
        -20.0 * size + 0.37,
        1e8 * size,
        -1e8 * size,
    ];
    places[which % if near { 15 } else { 17 }]
}

/// The properties of a method, from its name.
struct Method {
    compares: bool,
    gathers: Option<usize>,
    asks_level: bool,
    /// True if the level comes from a quad.
    derives: bool,
}

impl Method {
    fn new(name: &str) -> Method {
        let compares = name.contains("Cmp");
        let asks_level = name.starts_with("CalculateLevelOfDetail");
        let gathers = name.strip_prefix("Gather").map(|rest| match rest.trim_start_matches("Cmp") {
            "Green" => 1,
            "Blue" => 2,
            "Alpha" => 3,
            _ => 0,
        });
        let plain = name.trim_end_matches("Bias");
        let derives = asks_level || plain == "Sample" || plain == "SampleCmp";
        Method { compares, gathers, asks_level, derives }
    }
}

/// The arguments that the threads of a case use.
struct Asked {
    coord: Floats,
    reference: Option<Floats>,
    bias: Option<Floats>,
    level: Option<Floats>,
    gradient: Option<[Floats; 2]>,
    least: Option<Floats>,
    offsets: Vec<[i64; 3]>,
}

impl Asked {
    fn query(&self, image: Image, method: &Method, thread: usize) -> Query {
        let one = |floats: &Option<Floats>| floats.as_ref().map(|f| f[thread][0]);
        let at = |t: usize| -> [f64; 3] { [0, 1, 2].map(|i| self.coord[t][i]) };
        let axes = if image.object.cube { 3 } else { image.object.axes };
        let layer = if image.object.arrayed && !method.asks_level { self.coord[thread][axes] } else { 0.0 };
        let lod = if method.derives {
            // Coordinates are linear within a quad: all differences are equal.
            let first = thread / 4 * 4;
            let difference = |other: usize| [0, 1, 2].map(|i| at(first + other)[i] - at(first)[i]);
            Lod::Derived { dx: difference(1), dy: difference(2), bias: one(&self.bias).unwrap_or(0.0) }
        } else if let Some([dx, dy]) = &self.gradient {
            let three = |floats: &Floats| [0, 1, 2].map(|i| floats[thread][i]);
            Lod::Derived { dx: three(dx), dy: three(dy), bias: 0.0 }
        } else {
            Lod::Given(one(&self.level).unwrap_or(0.0))
        };
        let mut coord = at(thread);
        coord[axes..].fill(0.0);
        let offset = self.offsets.first().copied().unwrap_or_default();
        let least = one(&self.least).unwrap_or(f64::NEG_INFINITY);
        Query { coord, layer, lod, least, offset, reference: one(&self.reference) }
    }
}

/// Returns the case of a row, with a given sampler or the row's own.
pub fn case(n: usize, row: &Row, place: Place, sampler: Option<usize>) -> Case {
    let method = Method::new(row.name);
    let image = Image::new(row.object, method.compares);
    let axes = if image.object.cube { 3 } else { image.object.axes };
    let has_offset = row.parameters.iter().any(|p| p.starts_with("constant"));
    let (list, prefix) = match method.compares {
        true => (objects::shadows(), "Shadow"),
        false => (objects::samplers(), "Sampler"),
    };
    let number = match (sampler, image.texels) {
        (Some(number), _) => number,
        // Numbers are not filtered, so this sampler does not filter.
        (None, Texels::Numbers) => 1,
        // Comparisons that always or never hold show little.
        (None, _) => n % 6,
    };
    // Positions too far away for single precision have a defined texel only in modes that end at the edges of an image.
    let ends = list[number].address.iter().all(|a| !matches!(a, AddressMode::Wrap | AddressMode::Mirror));
    let near = method.derives || has_offset || method.gathers.is_some() || !ends;
    let mut arguments = Arguments::new();
    let coordinate = |t: usize| coordinate(image, &method, n, near, t);
    let width = axes + usize::from(image.object.arrayed && !method.asks_level);
    let (coord_name, coord) = arguments.floats(width, coordinate);
    let mut asked =
        Asked { coord, reference: None, bias: None, level: None, gradient: None, least: None, offsets: Vec::new() };

    // Arguments that the method has after its coordinate, by its name; later ones are common to all methods.
    let mut given = vec![format!("{prefix}_{number}"), coord_name];
    let mut rest = 2;
    if method.compares {
        let value = |t: usize| match t % 8 {
            0 => 0.5,
            1 => 0.0,
            2 => 1.0,
            3 => -0.5,
            4 => 1.5,
            // The value of a texel.
            5 => image.component(At { texel: [t as i64 % 2, 0, 0], ..At::default() }, 0),
            _ => ((t * 37 + n) % 101) as f64 / 101.0,
        };
        let (name, floats) = arguments.floats(1, |t| [value(t); 4]);
        given.push(name);
        asked.reference = Some(floats);
        rest += 1;
    }
    let table = |arguments: &mut Arguments, given: &mut Vec<String>, values: &'static [f64]| {
        let (name, floats) = arguments.floats(1, |t| [values[(t + t / values.len() + n) % values.len()]; 4]);
        given.push(name);
        floats
    };
    if row.name.ends_with("Bias") {
        asked.bias = Some(table(&mut arguments, &mut given, &BIASES));
        rest += 1;
    } else if row.name.ends_with("Level") {
        asked.level = Some(table(&mut arguments, &mut given, &LEVELS));
        rest += 1;
    } else if row.name.ends_with("Grad") {
        let mut floats = |which: usize| {
            let (name, floats) = arguments.floats(axes, |t| gradient(image, n, t)[which]);
            given.push(name);
            floats
        };
        asked.gradient = Some([floats(0), floats(1)]);
        rest += 2;
    }
    let mut has_status = false;
    for parameter in &row.parameters[rest..] {
        match *parameter {
            "float" => asked.least = Some(table(&mut arguments, &mut given, &LEAST)),
            "out T" => {
                has_status = true;
                given.push("status".to_owned());
            }
            offset if offset.starts_with("constant int") => {
                let offset = OFFSETS[(n + asked.offsets.len()) % OFFSETS.len()];
                given.push(literal(&offset[..image.object.axes], n));
                asked.offsets.push(offset);
            }
            other => panic!("{}: {other}", row.show()),
        }
    }

    let kind = if image.texels == Texels::Numbers { U32 } else { F32 };
    let four = method.gathers.is_some() || !(method.compares || method.asks_level);
    let mut results = vec![Shape { kind, width: if four { 4 } else { 1 } }];
    let mut text = format!("r0 = {}.{}({});", image.name(), row.name, given.join(", "));
    if has_status {
        text = format!("uint status; {text} r1 = CheckAccessFullyMapped(status);");
        results.push(Shape { kind: Bool, width: 1 });
    }
    let precision = match (place.thorough, image.object.cube) {
        (true, _) => EXACT,
        (false, false) => ROUGH,
        (false, true) => ROUGH_CUBE,
    };
    let view = View { image, sampler: list[number], precision };
    let unclamped = row.name.ends_with("Unclamped");
    arguments.case(row.name, text, results, move |t| {
        let query = asked.query(image, &method, t);
        let mut want: Vec<Want> = if method.asks_level {
            let [accessed, free] = view.level_of_detail(&query);
            vec![if unclamped { free } else { accessed }]
        } else if let Some(component) = method.gathers {
            let four = |offsets: &[[i64; 3]]| [0, 1, 2, 3].map(|i| [offsets[i][0], offsets[i][1]]);
            let four = (asked.offsets.len() == 4).then(|| four(&asked.offsets));
            view.gather(&query, component, four).into()
        } else if method.compares {
            view.sample(&query)[..1].to_vec()
        } else {
            view.sample(&query).into()
        };
        want.extend(has_status.then_some(Want::Bits(1)));
        want
    })
}

/// Returns the coordinate of a thread, linear over the four of a quad if the method compares them.
fn coordinate(image: Image, method: &Method, n: usize, near: bool, thread: usize) -> [f64; 4] {
    let place = if method.derives { thread / 4 } else { thread };
    let layer = LAYERS[(place + n) % LAYERS.len()];
    let (dx, dy) = (thread % 2, thread / 2 % 2);
    let moves = if place % 3 == 2 { dy } else { dx } as f64;
    if image.object.cube {
        let face = (place + n) % 6;
        let mut on = ON_FACE[(place / 6 * 5 + place + n) % ON_FACE.len()];
        if method.derives {
            on = [-0.6 + (place % 3) as f64 * 0.1, -0.4 + (place % 5) as f64 * 0.15];
            on[place % 2] += moves * FACE_STEPS[(place + n) % FACE_STEPS.len()];
        }
        let scale = [1.0, 2.0, 0.5][place % 3];
        let [x, y, z] = reference::direction(face, on).map(|c| c * scale);
        return [x, y, z, layer];
    }
    let (axes, size) = (image.object.axes, image.size(0));
    let mut coord = [layer; 4];
    for i in 0..axes {
        let which = [place, place * 5 + place / 16 + n, place * 3 + place / 16 * 7 + 2 * n][i];
        let mut texels = along(size[i] as f64, which, near);
        if method.derives && place % axes == i {
            texels += moves * STEPS[(place + n) % STEPS.len()];
        }
        coord[i] = texels / size[i] as f64;
    }
    coord
}

/// Returns derivatives along one axis, in x or y: there all level formulas agree.
fn gradient(image: Image, n: usize, thread: usize) -> [[f64; 4]; 2] {
    let mut along = [0.0; 4];
    if image.object.cube {
        // On the plane of the coordinate's face.
        let face = (thread + n) % 6;
        let mut on = [0.0; 2];
        on[thread % 2] = FACE_STEPS[thread % FACE_STEPS.len()] * 2.0;
        let (to, from) = (reference::direction(face, on), reference::direction(face, [0.0; 2]));
        let scale = [1.0, 2.0, 0.5][thread % 3];
        (0..3).for_each(|i| along[i] = (to[i] - from[i]) * scale);
    } else {
        let axis = thread % image.object.axes;
        along[axis] = STEPS[(thread + n) % STEPS.len()] / image.size(0)[axis] as f64;
    }
    if thread % 3 == 2 { [[0.0; 4], along] } else { [along, [0.0; 4]] }
}
