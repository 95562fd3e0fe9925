//! Filtering, as Vulkan's "Image Operations" has it: levels, footprints, addresses, comparisons, cubes.
//!
//! Everything is computed in single precision and exact weights; a device may round weights to eight bits.

use super::image::Image;
use crate::device::{AddressMode, CompareOp, Filter, SamplerDesc};
use crate::format::NumberClass;

/// A texel's four components as register values.
pub type Texel = [u64; 4];

/// The position at which a lane samples.
#[derive(Clone, Copy, Debug, Default)]
pub struct SamplePoint {
    /// Normalised coordinates; of a cube the direction.
    pub coord: [f32; 3],
    /// The layer of an array, not rounded yet.
    pub layer: f32,
    pub offset: [i64; 3],
}

/// The source of the level.
#[derive(Clone, Copy, Debug)]
pub enum Level {
    Explicit(f32),
    /// From derivatives of the coordinate, with a bias.
    Derived {
        dx: [f32; 3],
        dy: [f32; 3],
        bias: f32,
    },
}

/// One image seen through one sampler.
pub struct View<'v> {
    pub image: &'v Image,
    pub sampler: &'v SamplerDesc,
    /// Reads the texel at an offset of the image's memory.
    pub read: &'v dyn Fn(u64) -> Texel,
}

/// Returns a cube's face, and the two coordinates on it, which are from 0 to 1 on the face.
fn face_of([x, y, z]: [f32; 3]) -> (u32, [f32; 2]) {
    let (ax, ay, az) = (x.abs(), y.abs(), z.abs());
    // Vulkan's table: among equal axes, z comes before y and y before x.
    let (face, s, t, major) = if az >= ax && az >= ay {
        if z < 0.0 { (5, -x, -y, az) } else { (4, x, -y, az) }
    } else if ay >= ax {
        if y < 0.0 { (3, x, -z, ay) } else { (2, x, z, ay) }
    } else if x < 0.0 {
        (1, z, -y, ax)
    } else {
        (0, -z, -y, ax)
    };
    (face, [s, t].map(|c| 0.5 * (c / major + 1.0)))
}

/// Returns the direction of a point on the plane of a face; coordinates may be outside 0 to 1.
fn direction_of(face: u32, [s, t]: [f32; 2]) -> [f32; 3] {
    let (s, t) = (2.0 * s - 1.0, 2.0 * t - 1.0);
    match face {
        0 => [1.0, -t, -s],
        1 => [-1.0, -t, s],
        2 => [s, 1.0, t],
        3 => [s, -1.0, -t],
        4 => [s, -t, 1.0],
        _ => [-s, -t, -1.0],
    }
}

/// Returns the derivative of the coordinates on a face, for a direction that moves by `d`.
fn face_derivative(face: u32, at: [f32; 3], d: [f32; 3]) -> [f32; 3] {
    let project = |[x, y, z]: [f32; 3]| match face {
        0 => (-z, -y, x),
        1 => (z, -y, -x),
        2 => (x, z, y),
        3 => (x, -z, -y),
        4 => (x, -y, z),
        _ => (-x, -y, -z),
    };
    let ((s, t, m), (ds, dt, dm)) = (project(at), project(d));
    [0.5 * (ds * m - s * dm) / (m * m), 0.5 * (dt * m - t * dm) / (m * m), 0.0]
}

impl View<'_> {
    /// Returns the level before it is clamped to the image's levels: `lambda` of the specification.
    fn lambda(&self, place: &SamplePoint, level: &Level, least: f32) -> f32 {
        let lambda = match *level {
            Level::Explicit(level) => level + self.sampler.bias,
            Level::Derived { dx, dy, bias } => {
                let (dx, dy) = match self.image.desc.cube {
                    true => {
                        let (face, _) = face_of(place.coord);
                        (face_derivative(face, place.coord, dx), face_derivative(face, place.coord, dy))
                    }
                    false => (dx, dy),
                };
                let length = |d: [f32; 3]| {
                    let axes = 0..self.image.desc.dimensions as usize;
                    axes.map(|i| (d[i] * self.image.desc.size[i] as f32).powi(2)).sum::<f32>().sqrt()
                };
                length(dx).max(length(dy)).log2() + self.sampler.bias + bias
            }
        };
        lambda.min(self.sampler.max_lod).max(self.sampler.min_lod.max(least))
    }

    /// Returns the accessed level, as a number between levels, and the unclamped one.
    pub fn query_lod(&self, place: &SamplePoint, level: &Level) -> [f32; 2] {
        let lambda = self.lambda(place, level, f32::NEG_INFINITY);
        let unclamped = match *level {
            Level::Derived { .. } => {
                let free = SamplerDesc { min_lod: f32::NEG_INFINITY, max_lod: f32::INFINITY, ..*self.sampler };
                View { sampler: &free, ..*self }.lambda(place, level, f32::NEG_INFINITY)
            }
            Level::Explicit(level) => level,
        };
        let clamped = lambda.clamp(0.0, self.image.desc.levels as f32 - 1.0);
        [if self.sampler.mips == Filter::Nearest { nearest(clamped) as f32 } else { clamped }, unclamped]
    }

    /// Returns the filtered texel, or the filtered comparison with `reference` as the first component.
    pub fn sample(&self, place: &SamplePoint, level: &Level, least: f32, reference: Option<f32>) -> Texel {
        let lambda = self.lambda(place, level, least);
        let filter = if lambda <= 0.0 { self.sampler.magnify } else { self.sampler.minify };
        let last = self.image.desc.levels - 1;
        let lambda = lambda.clamp(0.0, last as f32);
        if self.sampler.mips == Filter::Nearest {
            return self.level(place, nearest(lambda).min(last), filter, reference);
        }
        let (low, share) = (lambda.floor(), lambda - lambda.floor());
        let first = self.level(place, low as u32, filter, reference);
        if share == 0.0 {
            return first;
        }
        let second = self.level(place, (low as u32 + 1).min(last), filter, reference);
        mix(&[(first, 1.0 - share), (second, share)])
    }

    fn level(&self, place: &SamplePoint, level: u32, filter: Filter, reference: Option<f32>) -> Texel {
        let (coord, layer) = self.on_layer(place);
        let axes = self.image.desc.dimensions as usize;
        let size = self.image.level_size(level);
        let (mut low, mut weight) = ([0i64; 3], [0f32; 3]);
        let linear = filter == Filter::Linear && self.image.desc.format.component().class() == NumberClass::Float;
        for i in 0..axes {
            let u = coord[i] * size[i] as f32;
            if linear {
                let corner = (u - 0.5).floor();
                (low[i], weight[i]) = (corner as i64, u - 0.5 - corner);
            } else {
                low[i] = u.floor() as i64;
            }
            low[i] = low[i].saturating_add(place.offset[i]);
        }
        if !linear {
            return self.compared(self.fetch(low, layer, level), reference);
        }
        let mut parts = Vec::with_capacity(1 << axes);
        for corner in 0..1usize << axes {
            let (mut at, mut share) = (low, 1f32);
            for i in 0..axes {
                let high = corner >> i & 1 != 0;
                at[i] = at[i].saturating_add(i64::from(high));
                share *= if high { weight[i] } else { 1.0 - weight[i] };
            }
            // A texel without weight may have any value, including infinities.
            if share != 0.0 {
                parts.push((self.compared(self.fetch(at, layer, level), reference), share));
            }
        }
        mix(&parts)
    }

    /// Returns one component of the four texels around the position, or their comparisons.
    pub fn gather(&self, place: &SamplePoint, component: usize, reference: Option<f32>) -> Texel {
        let (coord, layer) = self.on_layer(place);
        let size = self.image.level_size(0);
        let low: [i64; 2] =
            [0, 1].map(|i| ((coord[i] * size[i] as f32 - 0.5).floor() as i64).saturating_add(place.offset[i]));
        // SPIR-V, OpImageGather: counter-clockwise from the lower left.
        [[0, 1], [1, 1], [1, 0], [0, 0]].map(|[x, y]: [i64; 2]| {
            let at = [low[0].saturating_add(x), low[1].saturating_add(y), 0];
            let texel = self.compared(self.fetch(at, layer, 0), reference);
            texel[if reference.is_some() { 0 } else { component }]
        })
    }

    /// Coordinates on the layer, or face, that the place is on.
    fn on_layer(&self, place: &SamplePoint) -> ([f32; 3], u32) {
        let desc = &self.image.desc;
        let per = if desc.cube { 6 } else { 1 };
        let count = (desc.layers / per).max(1);
        // A NaN is layer 0.
        let layer = if desc.arrayed { place.layer.round_ties_even().clamp(0.0, count as f32 - 1.0) as u32 } else { 0 };
        if desc.cube {
            let (face, [s, t]) = face_of(place.coord);
            return ([s, t, 0.0], layer * 6 + face);
        }
        (place.coord, layer)
    }

    fn compared(&self, texel: Texel, reference: Option<f32>) -> Texel {
        let Some(reference) = reference else { return texel };
        let unorm = self.image.desc.format.component().is_unorm();
        let reference = if unorm { reference.clamp(0.0, 1.0) } else { reference };
        let stored = f32::from_bits(texel[0] as u32);
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
        [u64::from(if holds { 1f32.to_bits() } else { 0 }), 0, 0, 0]
    }

    fn fetch(&self, at: [i64; 3], layer: u32, level: u32) -> Texel {
        let size = self.image.level_size(level).map(i64::from);
        if self.image.desc.cube {
            return self.fetch_cube([at[0], at[1]], size[0], layer, level);
        }
        let mut wrapped = [0i64; 3];
        for i in 0..self.image.desc.dimensions as usize {
            match wrap(at[i], size[i], self.sampler.address[i]) {
                Some(place) => wrapped[i] = place,
                None => return self.border(),
            }
        }
        self.texel(wrapped, layer, level)
    }

    fn texel(&self, at: [i64; 3], layer: u32, level: u32) -> Texel {
        self.image.offset(at, layer, level, 0).map_or([0; 4], |offset| (self.read)(offset))
    }

    fn border(&self) -> Texel {
        let one = match self.image.desc.format.component().class() {
            NumberClass::Float => u64::from(1f32.to_bits()),
            _ => 1,
        };
        self.sampler.border.map(|opaque| if opaque { one } else { 0 })
    }

    /// Fetches a texel of a cube. Cubes have no edges: the neighbouring face continues beyond one. Beyond a corner is
    /// the mean of the three texels that meet there.
    fn fetch_cube(&self, at: [i64; 2], size: i64, layer: u32, level: u32) -> Texel {
        let inside = |c: i64| (0..size).contains(&c);
        let clamped = at.map(|c| c.clamp(0, size - 1));
        match at.map(inside) {
            [true, true] => self.texel([at[0], at[1], 0], layer, level),
            [false, false] => mix(&[
                (self.fetch_cube(clamped, size, layer, level), 1.0 / 3.0),
                (self.fetch_cube([at[0], clamped[1]], size, layer, level), 1.0 / 3.0),
                (self.fetch_cube([clamped[0], at[1]], size, layer, level), 1.0 / 3.0),
            ]),
            _ => {
                let centre = at.map(|c| (c.clamp(-1, size) as f32 + 0.5) / size as f32);
                let (face, coord) = face_of(direction_of(layer % 6, centre));
                let texel = coord.map(|c| ((c * size as f32).floor() as i64).clamp(0, size - 1));
                self.texel([texel[0], texel[1], 0], layer / 6 * 6 + face, level)
            }
        }
    }
}

/// Returns the nearest level; between two equally near ones, the lower.
fn nearest(lambda: f32) -> u32 {
    ((lambda + 0.5).ceil() - 1.0).max(0.0) as u32
}

/// Returns the weighted sum of float texels.
fn mix(parts: &[(Texel, f32)]) -> Texel {
    if let [(only, 1.0)] = parts {
        return *only;
    }
    let mut sum = [0f32; 4];
    for (texel, share) in parts {
        for (total, value) in sum.iter_mut().zip(texel) {
            *total += share * f32::from_bits(*value as u32);
        }
    }
    sum.map(|value| u64::from(value.to_bits()))
}

/// Wraps a texel coordinate; None is the border.
fn wrap(at: i64, size: i64, mode: AddressMode) -> Option<i64> {
    let size = size.max(1);
    let mirrored = |at: i64| if at >= 0 { at } else { -(at + 1) };
    match mode {
        AddressMode::Wrap => Some(at.rem_euclid(size)),
        AddressMode::Mirror => {
            let place = at.rem_euclid(2 * size);
            Some(if place < size { place } else { 2 * size - 1 - place })
        }
        AddressMode::MirrorOnce => Some(mirrored(at).clamp(0, size - 1)),
        AddressMode::Clamp => Some(at.clamp(0, size - 1)),
        AddressMode::Border => (0..size).contains(&at).then_some(at),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faces_and_directions_agree() {
        for face in 0..6 {
            for s in [0.1, 0.5, 0.9] {
                for t in [0.2, 0.5, 0.7] {
                    let (found, [u, v]) = face_of(direction_of(face, [s, t]));
                    assert_eq!(found, face);
                    assert!((u - s).abs() < 1e-6 && (v - t).abs() < 1e-6, "face {face}: {s} {t}");
                }
            }
        }
        // Vulkan's table of faces, by the directions of the axes.
        assert_eq!(face_of([0.0, 0.0, -1.0]).0, 5);
        assert_eq!(face_of([0.0, 1.0, 0.0]).0, 2);
        // -z is to the right of the middle of +x.
        assert!(face_of([1.0, 0.0, -0.5]).1[0] > 0.5);
    }

    #[test]
    fn crossing_a_cube_edge_reaches_the_adjacent_texel() {
        // From the right edge of +x (x = 1, z = -1) to the adjacent left column of -z, row by row.
        let size = 4.0;
        for row in 0..4 {
            let t = (row as f32 + 0.5) / size;
            let (face, coord) = face_of(direction_of(0, [1.0 + 0.5 / size, t]));
            assert_eq!((face, (coord[0] * size) as i32, (coord[1] * size) as i32), (5, 0, row));
        }
    }

    #[test]
    fn address_modes_map_coordinates_outside_the_image() {
        let all = |mode| [-5, -4, -1, 0, 3, 4, 8].map(|at| wrap(at, 4, mode));
        assert_eq!(all(AddressMode::Wrap), [3, 0, 3, 0, 3, 0, 0].map(Some));
        assert_eq!(all(AddressMode::Mirror), [3, 3, 0, 0, 3, 3, 0].map(Some));
        assert_eq!(all(AddressMode::MirrorOnce), [3, 3, 0, 0, 3, 3, 3].map(Some));
        assert_eq!(all(AddressMode::Clamp), [0, 0, 0, 0, 3, 3, 3].map(Some));
        assert_eq!(all(AddressMode::Border), [None, None, None, Some(0), Some(3), None, None]);
    }

    #[test]
    fn nearest_mip_levels_round_half_down() {
        assert_eq!([0.0, 0.5, 0.51, 1.5, 2.0].map(nearest), [0, 0, 1, 1, 2]);
    }
}
