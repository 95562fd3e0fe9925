//! Rows that read and write texels by integer coordinates, and those that query extents.

use super::arguments::Arguments;
use super::objects::{At, Image, Texels};
use crate::harness::{Case, Place, Shape, Want};
use crate::kind::Kind::{self, *};
use crate::list::Row;

const FOUR: Shape = Shape { kind: F32, width: 4 };
const STATUS: Shape = Shape { kind: Bool, width: 1 };

/// Offsets of loads, which have no limits: every row uses another.
pub const OFFSETS: [[i64; 3]; 6] = [[-3, 2, 1], [1, -2, -1], [-8, 7, -1], [7, -8, 2], [2, 1, -2], [-1, -5, 1]];

/// Returns a texel for each thread, cycling through all of an image.
fn places(image: Image, n: usize) -> impl Fn(usize) -> At {
    move |thread| {
        let mut i = (thread * 5 + n) as i64;
        let mut next = |count: i64| {
            let part = i % count;
            i = i / count + (part + 1) * 3;
            part
        };
        let level = next(image.levels());
        let mut size = image.size(level);
        // The right half of a writable image is written.
        if image.object.storage {
            size[0] = 64;
        }
        let texel = size.map(&mut next);
        let layer = next(image.elements());
        let sample = next(i64::from(image.object.samples));
        At { texel, layer, level, sample }
    }
}

/// Returns a coordinate: the axes, then the layer, then more.
fn coordinate(image: Image, at: At, more: Option<i64>) -> [i64; 4] {
    let axes = image.object.axes;
    let layer = image.object.arrayed.then_some(at.layer);
    let parts: Vec<i64> = at.texel[..axes].iter().copied().chain(layer).chain(more).collect();
    [0, 1, 2, 3].map(|i| parts.get(i).copied().unwrap_or(0))
}

fn colour(image: Image, at: At) -> impl Iterator<Item = Want> {
    image.texel(at).into_iter().map(|c| Want::Bits(F32.of_float(c)))
}

pub fn case(n: usize, row: &Row) -> Case {
    match row.name {
        "CheckAccessFullyMapped" => resident(),
        "Load" => load(n, row),
        "operator[]" => element(n, row),
        _ => panic!("{} is no row of texels", row.show()),
    }
}

/// A resident texel is fully mapped.
fn resident() -> Case {
    let image = Image::new("Texture2D", false);
    let text = format!("uint status; {}.Load(0, 0, status); r0 = CheckAccessFullyMapped(status);", image.name());
    Arguments::new().case("CheckAccessFullyMapped", text, vec![STATUS], |_| vec![Want::Bits(1)])
}

fn load(n: usize, row: &Row) -> Case {
    let image = Image::new(row.object, false);
    let object = image.object;
    let width = object.axes + usize::from(object.arrayed);
    let has_level = !(object.storage || object.buffer || object.samples > 1);
    let at = places(image, n);
    let shift = |offset: [i64; 3]| {
        move |at: At| At { texel: [0, 1, 2].map(|i| at.texel[i] - if i < object.axes { offset[i] } else { 0 }), ..at }
    };
    let offset =
        if row.parameters.iter().any(|p| p.starts_with("constant")) { OFFSETS[n % OFFSETS.len()] } else { [0; 3] };
    let mut arguments = Arguments::new();
    // The loaded texel is at the coordinate plus the offset.
    let (position, _) = arguments.integers(I32, width + usize::from(has_level), |t| {
        let at = at(t);
        coordinate(image, shift(offset)(at), has_level.then_some(at.level))
    });
    let mut given = vec![position];
    for parameter in &row.parameters[1..] {
        given.push(match *parameter {
            "int" => arguments.integers(I32, 1, |t| [at(t).sample, 0, 0, 0]).0,
            "out T" => "status".to_owned(),
            offset_of if offset_of.starts_with("constant int") => literal(&offset[..object.axes], n),
            other => panic!("{}: {other}", row.show()),
        });
    }
    let mut results = vec![FOUR];
    let mut text = format!("r0 = {}.Load({});", image.name(), given.join(", "));
    if given.iter().any(|g| g == "status") {
        text = format!("uint status; {text} r1 = CheckAccessFullyMapped(status);");
        results.push(STATUS);
    }
    let has_status = results.len() > 1;
    arguments.case(row.name, text, results, move |t| {
        colour(image, at(t)).chain(has_status.then_some(Want::Bits(1))).collect()
    })
}

/// Returns a constant vector of integers; every other one is written as unsigned.
pub fn literal(parts: &[i64], n: usize) -> String {
    let parts: Vec<String> = parts.iter().map(ToString::to_string).collect();
    match (parts.len(), n.is_multiple_of(2)) {
        (1, true) => parts.concat(),
        (1, false) => format!("uint({})", parts.concat()),
        (n, signed) => format!("{}{n}({})", if signed { "int" } else { "uint" }, parts.join(", ")),
    }
}

/// Tests `image[p]`, with `.mips[level][p]` or `.sample[n][p]` if available, and as the target of assignments.
fn element(n: usize, row: &Row) -> Case {
    let image = Image::new(row.object, false);
    let (name, object) = (image.name(), image.object);
    let width = object.axes + usize::from(object.arrayed);
    let at = places(image, n);
    let mut arguments = Arguments::new();
    // Without a level or sample, the first one is used. Every texel of the smallest level also exists on it.
    let first = {
        let at = places(image, n);
        move |t: usize| At { level: 0, sample: 0, ..at(t) }
    };
    let (position, _) = arguments.integers(U32, width, |t| coordinate(image, first(t), None));
    let mut results = vec![FOUR];
    let mut text = format!("r0 = {name}[{position}];");
    if image.levels() > 1 {
        let (level, _) = arguments.integers(U32, 1, |t| [at(t).level, 0, 0, 0]);
        text += &format!(" r1 = {name}.mips[{level}][{position}];");
        results.push(FOUR);
    }
    if object.samples > 1 {
        let (sample, _) = arguments.integers(U32, 1, |t| [at(t).sample, 0, 0, 0]);
        text += &format!(" r1 = {name}.sample[{sample}][{position}];");
        results.push(FOUR);
    }
    let read = results.len();
    if object.storage {
        // A texel of the thread's own: written, read, partly written.
        let mine = |t: usize| At { texel: [64 + t as i64, 0, 0], ..At::default() };
        let (mine, _) = arguments.integers(U32, width, |t| coordinate(image, mine(t), None));
        text += &format!(" {name}[{mine}] = r0 + 1; {name}[{mine}].yw *= 2; r{read} = {name}[{mine}];");
        results.push(FOUR);
    }
    arguments.case(row.name, text, results, move |t| {
        let mut want: Vec<Want> = colour(image, first(t)).collect();
        if read > 1 {
            want.extend(colour(image, at(t)));
        }
        if object.storage {
            let read = image.texel(first(t));
            want.extend([1.0, 2.0, 1.0, 2.0].iter().zip(read).map(|(k, c)| Want::Bits(F32.of_float((c + 1.0) * k))));
        }
        want
    })
}

/// The positions of four samples in a texel: Vulkan's standard locations, from the upper left corner.
const FOUR_SAMPLES: [[f64; 2]; 4] = [[0.375, 0.125], [0.875, 0.375], [0.125, 0.625], [0.625, 0.875]];

pub fn dimensions(n: usize, row: &Row, place: Place) -> Case {
    let image = Image { texels: Texels::Colours, ..Image::new(row.object, false) };
    let (name, object) = (image.name(), image.object);
    let mut arguments = Arguments::new();
    if row.name == "GetSamplePosition" {
        let index = |t: usize| t as i64 % 7 - 1;
        let (which, _) = arguments.integers(I32, 1, |t| [index(t), 0, 0, 0]);
        let text = format!("r0 = {name}.GetSamplePosition({which});");
        return arguments.case(row.name, text, vec![Shape { kind: F32, width: 2 }], move |t| {
            // From the centre; zero for samples that do not exist.
            let position = usize::try_from(index(t)).ok().and_then(|i| FOUR_SAMPLES.get(i));
            let position = position.map_or([0.0; 2], |p| p.map(|c| c - 0.5));
            position.map(|c| Want::Bits(F32.of_float(c))).into()
        });
    }
    let kind: Kind = if row.kinds.iter().any(|(_, kind)| *kind == "float") { F32 } else { U32 };
    let has_level = row.parameters[0] == "uint";
    // The software driver uses the level of the first thread for all threads.
    let differs = usize::from(place.thorough);
    let level = move |t: usize| if has_level { (n + t * differs) as i64 % image.levels() } else { 0 };
    let outs = row.parameters.len() - usize::from(has_level);
    let given = has_level.then(|| arguments.integers(U32, 1, |t| [level(t), 0, 0, 0]).0);
    let given: Vec<String> = given.into_iter().chain((0..outs).map(|r| format!("r{r}"))).collect();
    let text = format!("{name}.GetDimensions({});", given.join(", "));
    arguments.case(row.name, text, vec![Shape { kind, width: 1 }; outs], move |t| {
        let mut numbers: Vec<i64> = image.size(level(t))[..object.axes].into();
        numbers.extend(object.arrayed.then(|| image.elements()));
        numbers.extend(has_level.then(|| image.levels()));
        numbers.extend((object.samples > 1).then_some(i64::from(object.samples)));
        let bits = |x: i64| if kind == F32 { F32.of_float(x as f64) } else { x as u64 };
        numbers.into_iter().map(|x| Want::Bits(bits(x))).collect()
    })
}
