//! Sampling as the specification of Vulkan defines it ("Image Operations"), in double precision.
//!
//! A device may round: coordinates and weights to fixed point with some bits (`subTexelPrecisionBits`,
//! `mipmapPrecisionBits`), and the level of a derivative is a logarithm. So the reference is evaluated at coordinates
//! and levels around the exact ones. For unfiltered texels, any of the values found is allowed. For filtered texels,
//! anything between the minimum and the maximum is allowed.

use super::objects::{At, Image, Texels};
use crate::harness::Want;
use crate::kind::Kind;
use wgc_runtime::device::{AddressMode, CompareOp, Filter, SamplerDesc};

/// The permitted error of a device.
#[derive(Clone, Copy, Debug)]
pub struct Precision {
    /// In texels.
    pub texel: f64,
    /// In levels, for an explicit level.
    pub level: f64,
    /// In levels, for a level from derivatives.
    pub derived: f64,
}

/// A device with exact weights: only the rounding of single precision remains.
pub const EXACT: Precision = Precision { texel: 1.0 / 4096.0, level: 1.0 / 4096.0, derived: 1.0 / 1024.0 };
/// Eight bits of a texel; four bits of a level, the minimum of Vulkan; and a logarithm of a few bits.
pub const ROUGH: Precision = Precision { texel: 1.0 / 256.0, level: 1.0 / 16.0, derived: 1.0 / 16.0 };
/// A direction is divided by its largest component first, which may cost two more bits.
pub const ROUGH_CUBE: Precision = Precision { texel: 4.0 * ROUGH.texel, ..ROUGH };

/// The source of the level.
#[derive(Clone, Copy, Debug)]
pub enum Lod {
    Given(f64),
    /// Derivatives of the coordinate in x and y of the quad, and a bias.
    Derived {
        dx: [f64; 3],
        dy: [f64; 3],
        bias: f64,
    },
}

/// One use of a sampler.
#[derive(Clone, Copy, Debug)]
pub struct Query {
    /// For a cube, the direction.
    pub coord: [f64; 3],
    pub layer: f64,
    pub lod: Lod,
    /// The lowest level that is read.
    pub least: f64,
    pub offset: [i64; 3],
    /// The reference value of a comparison.
    pub reference: Option<f64>,
}

/// An image seen through a sampler, by a device of some precision.
pub struct View {
    pub image: Image,
    pub sampler: SamplerDesc,
    pub precision: Precision,
}

/// The possible values of a result's component.
#[derive(Clone, Debug, Default)]
struct Possible {
    low: f64,
    high: f64,
    values: Vec<f64>,
}

impl Possible {
    fn add(&mut self, value: f64) {
        if self.values.is_empty() {
            (self.low, self.high) = (value, value);
        }
        self.low = self.low.min(value);
        self.high = self.high.max(value);
        if !self.values.contains(&value) {
            self.values.push(value);
        }
    }

    fn want(&self, kind: Kind, mixes: bool) -> Want {
        if mixes {
            let (value, reach) = ((self.low + self.high) / 2.0, (self.high - self.low) / 2.0);
            return Want::Near { value, error: reach + 1e-5 * value.abs().max(1.0) };
        }
        let bits = |v: &f64| if kind.is_float() { kind.of_float(*v) } else { kind.of_integer(*v as i128) };
        Want::OneOf(self.values.iter().map(bits).collect())
    }
}

/// Faces of a cube: the direction of the face, and those of its two axes (Vulkan, "Cube Map Face Selection").
const FACES: [[[f64; 3]; 3]; 6] = [
    [[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, -1.0, 0.0]],
    [[-1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]],
    [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]],
    [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, -1.0]],
    [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, -1.0, 0.0]],
    [[0.0, 0.0, -1.0], [-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]],
];

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Returns the direction of a point on a face, -1 to 1 on both axes.
pub fn direction(face: usize, [s, t]: [f64; 2]) -> [f64; 3] {
    let [major, along_s, along_t] = FACES[face];
    [0, 1, 2].map(|i| major[i] + s * along_s[i] + t * along_t[i])
}

/// Returns the values that a device may use for a number. Includes the knee of an otherwise piecewise linear function,
/// at a whole number plus `knee`, if it is between them.
fn within(x: f64, error: f64, knee: f64) -> Vec<f64> {
    let mut all = vec![x, x - error, x + error];
    let knee = (x - knee).round() + knee;
    if (x - knee).abs() < error && x != knee {
        all.push(knee);
    }
    all
}

/// Returns the face of a direction.
fn face_of(direction: [f64; 3]) -> usize {
    let along = |face: &usize| dot(direction, FACES[*face][0]);
    (0..6).max_by(|a, b| along(a).total_cmp(&along(b))).unwrap_or(0)
}

/// Applies Vulkan's wrapping rules: maps `i` to a texel on an axis, or to `None` for the border.
fn wrapped(i: i64, size: i64, mode: AddressMode) -> Option<i64> {
    let mirror = |n: i64| if n >= 0 { n } else { -(1 + n) };
    match mode {
        AddressMode::Wrap => Some(i.rem_euclid(size)),
        AddressMode::Mirror => Some(size - 1 - mirror(i.rem_euclid(2 * size) - size)),
        AddressMode::Clamp => Some(i.clamp(0, size - 1)),
        AddressMode::Border => (i.clamp(-1, size) == i && i != -1 && i != size).then_some(i),
        AddressMode::MirrorOnce => Some(mirror(i).clamp(0, size - 1)),
    }
}

impl View {
    /// Returns the number of axes of coordinates.
    fn axes(&self) -> usize {
        self.image.object.axes
    }

    /// Returns the unclamped level, within the device's precision.
    fn lambdas(&self, query: &Query) -> Vec<f64> {
        let limit = |lambda: f64| lambda.min(f64::from(self.sampler.max_lod)).max(self.least(query));
        let (lambda, error) = self.lambda(query);
        within(lambda, error, 0.0).into_iter().map(limit).collect()
    }

    fn least(&self, query: &Query) -> f64 {
        f64::from(self.sampler.min_lod).max(query.least)
    }

    /// Returns `λ'` and its precision.
    fn lambda(&self, query: &Query) -> (f64, f64) {
        let bias = f64::from(self.sampler.bias);
        match query.lod {
            Lod::Given(level) => (level + bias, self.precision.level),
            Lod::Derived { dx, dy, bias: own } => {
                let scale = [dx, dy].map(|d| self.footprint(query.coord, d));
                (scale[0].max(scale[1]).log2() + bias + own, self.precision.derived)
            }
        }
    }

    /// Returns the number of texels of level 0 that the coordinate moves by `d`.
    fn footprint(&self, coord: [f64; 3], d: [f64; 3]) -> f64 {
        let size = self.image.size(0);
        let moved = if self.image.object.cube {
            let [major, along_s, along_t] = FACES[face_of(coord)];
            let (m, dm) = (dot(coord, major), dot(d, major));
            let along = |axis| 0.5 * (dot(d, axis) * m - dot(coord, axis) * dm) / (m * m);
            [along(along_s), along(along_t), 0.0]
        } else {
            d
        };
        (0..self.axes()).map(|i| (moved[i] * size[i] as f64).powi(2)).sum::<f64>().sqrt()
    }

    /// Returns the levels that a clamped `λ` reads, with their weights.
    fn levels(&self, lambda: f64) -> Vec<(i64, f64)> {
        let last = self.image.levels() - 1;
        let d = lambda.clamp(0.0, last as f64);
        if self.sampler.mips == Filter::Nearest {
            return vec![(((d + 0.5).ceil() as i64 - 1).clamp(0, last), 1.0)];
        }
        let low = d.floor();
        let share = d - low;
        vec![(low as i64, 1.0 - share), ((low as i64 + 1).min(last), share)]
    }

    /// Returns the possible levels of an implicit sample: the accessed one and the unclamped one.
    pub fn level_of_detail(&self, query: &Query) -> [Want; 2] {
        let (free, error) = self.lambda(query);
        let mut accessed = Possible::default();
        for lambda in self.lambdas(query) {
            match self.sampler.mips {
                Filter::Nearest => accessed.add(self.levels(lambda)[0].0 as f64),
                Filter::Linear => accessed.add(lambda.clamp(0.0, (self.image.levels() - 1) as f64)),
            }
        }
        [accessed.want(Kind::F32, self.sampler.mips == Filter::Linear), Want::Near { value: free, error: error + 1e-5 }]
    }

    /// Returns the filtered texel, or in the first component the filtered comparison.
    pub fn sample(&self, query: &Query) -> [Want; 4] {
        let mut all: [Possible; 4] = Default::default();
        let mut mixes = false;
        for lambda in self.lambdas(query) {
            let filter = if lambda <= 0.0 { self.sampler.magnify } else { self.sampler.minify };
            let mut ranges = [[0.0; 2]; 4];
            let levels: Vec<_> = self.levels(lambda).into_iter().filter(|(_, share)| *share > 0.0).collect();
            let linear = filter == Filter::Linear && self.image.texels != Texels::Numbers;
            mixes |= linear || levels.len() > 1;
            for &(level, share) in &levels {
                let found = self.on_level(query, level, linear);
                for (c, found) in found.iter().enumerate() {
                    if levels.len() == 1 && !linear {
                        found.values.iter().for_each(|v| all[c].add(*v));
                    }
                    ranges[c][0] += share * found.low;
                    ranges[c][1] += share * found.high;
                }
            }
            if linear || levels.len() > 1 {
                for (all, range) in all.iter_mut().zip(ranges) {
                    range.into_iter().for_each(|v| all.add(v));
                }
            }
        }
        let kind = if self.image.texels == Texels::Numbers { Kind::U32 } else { Kind::F32 };
        all.map(|possible| possible.want(kind, mixes))
    }

    /// Returns the possible results on a level.
    fn on_level(&self, query: &Query, level: i64, linear: bool) -> [Possible; 4] {
        let mut all: [Possible; 4] = Default::default();
        self.around(query, level, |layer, u| {
            for early in [true, false] {
                let texel = match linear {
                    true => self.mixed(query, layer, level, u, early),
                    false => self.nearest(query, layer, level, u),
                };
                for (all, value) in all.iter_mut().zip(texel) {
                    all.add(value);
                }
            }
        });
        all
    }

    /// Calls `f` with the layer, and coordinates in texels within the precision.
    fn around(&self, query: &Query, level: i64, mut f: impl FnMut(i64, [f64; 3])) {
        let size = self.image.size(level);
        let (layer, place) = self.place(query);
        let all: Vec<Vec<f64>> =
            (0..self.axes()).map(|i| within(place[i] * size[i] as f64, self.precision.texel, 0.5)).collect();
        let count = all.iter().map(Vec::len).product();
        for n in 0..count {
            let (mut u, mut n) = ([0.0; 3], n);
            for (u, these) in u.iter_mut().zip(&all) {
                *u = these[n % these.len()];
                n /= these.len();
            }
            f(layer, u);
        }
    }

    /// Returns the layer, with the face of cubes, and the coordinate on it from 0 to 1.
    fn place(&self, query: &Query) -> (i64, [f64; 3]) {
        let last = (self.image.elements() - 1) as f64;
        let element = query.layer.round_ties_even().clamp(0.0, last) as i64;
        if !self.image.object.cube {
            return (element, query.coord);
        }
        let face = face_of(query.coord);
        let [major, along_s, along_t] = FACES[face];
        let on = |axis| 0.5 * (dot(query.coord, axis) / dot(query.coord, major).abs() + 1.0);
        (element * 6 + face as i64, [on(along_s), on(along_t), 0.0])
    }

    fn nearest(&self, query: &Query, layer: i64, level: i64, u: [f64; 3]) -> [f64; 4] {
        let at = [0, 1, 2].map(|i| u[i].floor() as i64 + query.offset[i]);
        self.compared(query, self.fetch(at, layer, level))
    }

    /// `early`: true to compare each of the three texels around the corner of a cube, false to compare their mean. The
    /// specification demands the mean, but not of which values.
    fn mixed(&self, query: &Query, layer: i64, level: i64, u: [f64; 3], early: bool) -> [f64; 4] {
        let mut sum = [0.0; 4];
        for corner in 0..1usize << self.axes() {
            let (mut at, mut share) = ([0; 3], 1.0);
            for i in 0..self.axes() {
                let low = (u[i] - 0.5).floor();
                let (high, weight) = (corner >> i & 1 != 0, u[i] - 0.5 - low);
                at[i] = low as i64 + i64::from(high) + query.offset[i];
                share *= if high { weight } else { 1.0 - weight };
            }
            let texel = match self.corner(at, layer, level).filter(|_| early) {
                Some(three) => mean(three.map(|texel| self.compared(query, texel))),
                None => self.compared(query, self.fetch(at, layer, level)),
            };
            (0..4).for_each(|c| sum[c] += share * texel[c]);
        }
        sum
    }

    /// Gathers one component, or comparisons. The texels are counter-clockwise from the lower left; with four offsets,
    /// the upper left one at each.
    pub fn gather(&self, query: &Query, component: usize, four: Option<[[i64; 2]; 4]>) -> [Want; 4] {
        let [x, y, _] = query.offset;
        let places = four.unwrap_or([[x, y + 1], [x + 1, y + 1], [x + 1, y], [x, y]]);
        let kind = if self.image.texels == Texels::Numbers { Kind::U32 } else { Kind::F32 };
        let mut all: [Possible; 4] = Default::default();
        self.around(query, 0, |layer, u| {
            for (n, all) in all.iter_mut().enumerate() {
                let at = [0, 1].map(|i| (u[i] - 0.5).floor() as i64 + places[n][i]);
                all.add(self.compared(query, self.fetch([at[0], at[1], 0], layer, 0))[component]);
            }
        });
        all.map(|possible| possible.want(kind, false))
    }

    fn compared(&self, query: &Query, texel: [f64; 4]) -> [f64; 4] {
        let Some(reference) = query.reference else { return texel };
        let stored = texel[0];
        let holds = match self.sampler.compare.unwrap_or(CompareOp::Never) {
            CompareOp::Never => false,
            CompareOp::Less => reference < stored,
            CompareOp::Equal => reference == stored,
            CompareOp::LessEqual => reference <= stored,
            CompareOp::Greater => reference > stored,
            CompareOp::NotEqual => reference != stored,
            CompareOp::GreaterEqual => reference >= stored,
            CompareOp::Always => true,
        };
        [f64::from(u8::from(holds)); 4]
    }

    fn fetch(&self, at: [i64; 3], layer: i64, level: i64) -> [f64; 4] {
        let size = self.image.size(level);
        if self.image.object.cube {
            return self.fetch_cube(at, layer, level, size[0]);
        }
        let mut texel = [0; 3];
        for i in 0..self.axes() {
            match wrapped(at[i], size[i], self.sampler.address[i]) {
                Some(place) => texel[i] = place,
                None => return self.sampler.border.map(|one| f64::from(u8::from(one))),
            }
        }
        self.image.texel(At { texel, layer, level, sample: 0 })
    }

    /// Returns the three texels around the corner of a cube, for a position beyond that corner of a face.
    fn corner(&self, [i, j, _]: [i64; 3], layer: i64, level: i64) -> Option<[[f64; 4]; 3]> {
        let size = self.image.size(level)[0];
        let beyond = self.image.object.cube && [i, j].iter().all(|c| *c < 0 || *c >= size);
        let (k, l) = (i.clamp(0, size - 1), j.clamp(0, size - 1));
        beyond.then(|| [[k, l, 0], [i, l, 0], [k, j, 0]].map(|at| self.fetch_cube(at, layer, level, size)))
    }

    /// Beyond the edge of a face, the nearest texel of the adjacent face is used. Beyond a corner there is none, and
    /// the mean of the three around it is used.
    fn fetch_cube(&self, [i, j, _]: [i64; 3], layer: i64, level: i64, size: i64) -> [f64; 4] {
        let outside = |c: i64| c < 0 || c >= size;
        let (element, face) = (layer / 6, (layer % 6) as usize);
        let texel = |face: usize, i, j| {
            self.image.texel(At { texel: [i, j, 0], layer: element * 6 + face as i64, level, sample: 0 })
        };
        let centre = |face, [i, j]: [i64; 2]| direction(face, [i, j].map(|c| (2 * c + 1) as f64 / size as f64 - 1.0));
        if let Some(three) = self.corner([i, j, 0], layer, level) {
            return mean(three);
        }
        if !outside(i) && !outside(j) {
            return texel(face, i, j);
        }
        let here = centre(face, [i, j]);
        let others =
            (0..6).filter(|f| *f != face).flat_map(|f| (0..size * size).map(move |n| (f, [n % size, n / size])));
        let distance = |&(f, at): &(usize, [i64; 2])| {
            let there = centre(f, at);
            (0..3).map(|c| (there[c] - here[c]).powi(2)).sum::<f64>()
        };
        let nearest = others.min_by(|a, b| distance(a).total_cmp(&distance(b)));
        nearest.map_or([0.0; 4], |(f, [i, j])| texel(f, i, j))
    }
}

fn mean(three: [[f64; 4]; 3]) -> [f64; 4] {
    [0, 1, 2, 3].map(|c| three.iter().map(|texel| texel[c]).sum::<f64>() / 3.0)
}
