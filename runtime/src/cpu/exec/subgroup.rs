//! Subgroup operations: lanes `k * size .. (k + 1) * size` of a workgroup form subgroup `k`.

use super::Run;
use super::ops::{Active, Binary, binary_one};
use crate::cpu::mask::Mask;
use crate::cpu::program::{Combine, Row, SubgroupOp};

impl Run<'_, '_> {
    pub(super) fn subgroup(&mut self, active: &Active, op: SubgroupOp, dst: Row, a: Row, b: Row, n: u32) {
        let size = self.world.subgroup_size;
        let mut lanes: Vec<usize> = Vec::with_capacity(size);
        for first in (0..self.rows.lanes).step_by(size) {
            lanes.clear();
            lanes.extend((first..(first + size).min(self.rows.lanes)).filter(|&l| active.mask.contains(l)));
            if !lanes.is_empty() {
                self.one_subgroup(op, first, &lanes, &active.mask, [dst, a, b], n);
            }
        }
    }

    fn one_subgroup(&self, op: SubgroupOp, first: usize, lanes: &[usize], mask: &Mask, [dst, a, b]: [Row; 3], n: u32) {
        let rows = self.rows;
        let set_all = |value: bool| {
            for &lane in lanes {
                rows.set(dst, lane, u64::from(value));
            }
        };
        // Reads the lane that each lane names; inactive lanes give 0.
        let shuffle = |from: &dyn Fn(usize) -> Option<usize>| {
            for i in 0..n {
                let values: Vec<u64> = lanes
                    .iter()
                    .map(|&lane| match from(lane) {
                        Some(source) if source < rows.lanes && mask.contains(source) => rows.get(a + i, source),
                        _ => 0,
                    })
                    .collect();
                for (&lane, value) in lanes.iter().zip(values) {
                    rows.set(dst + i, lane, value);
                }
            }
        };
        let size = self.world.subgroup_size;
        // The lane at an index of this subgroup.
        let inside = |place: u64| (place < size as u64).then(|| first + place as usize);
        // Returns whether a bit of the ballot in rows `a ..` is set.
        let bit = |lane: usize, place: usize| rows.get(a + (place / 32) as u32, lane) >> (place % 32) & 1 != 0;
        match op {
            SubgroupOp::Elect => {
                for (i, &lane) in lanes.iter().enumerate() {
                    rows.set(dst, lane, u64::from(i == 0));
                }
            }
            SubgroupOp::All => set_all(lanes.iter().all(|&l| rows.get(a, l) != 0)),
            SubgroupOp::Any => set_all(lanes.iter().any(|&l| rows.get(a, l) != 0)),
            SubgroupOp::AllEqual => {
                let same = |row: Row| lanes.windows(2).all(|w| rows.get(row, w[0]) == rows.get(row, w[1]));
                set_all((a..a + n).all(same));
            }
            SubgroupOp::Shuffle => shuffle(&|lane| inside(rows.get(b, lane))),
            SubgroupOp::ShuffleXor => shuffle(&|lane| inside((lane - first) as u64 ^ rows.get(b, lane))),
            SubgroupOp::ShuffleUp => {
                shuffle(&|lane| ((lane - first) as u64).checked_sub(rows.get(b, lane)).and_then(inside));
            }
            SubgroupOp::ShuffleDown => {
                shuffle(&|lane| ((lane - first) as u64).checked_add(rows.get(b, lane)).and_then(inside));
            }
            SubgroupOp::BroadcastFirst => shuffle(&|_| lanes.first().copied()),
            SubgroupOp::QuadBroadcast => {
                shuffle(&|lane| Some(self.program.quad_lane(lane, (rows.get(b, lane) & 3) as usize, false)))
            }
            SubgroupOp::QuadSwap => {
                // Horizontal, vertical, diagonal.
                let across = |lane| [1, 2, 3, 0][(rows.get(b, lane) & 3) as usize];
                shuffle(&|lane| Some(self.program.quad_lane(lane, across(lane), true)));
            }
            SubgroupOp::Ballot => {
                let mut words = [0u64; 4];
                for &lane in lanes.iter().filter(|&&l| rows.get(a, l) != 0) {
                    let place = lane - first;
                    if let Some(word) = words.get_mut(place / 32) {
                        *word |= 1 << (place % 32);
                    }
                }
                for &lane in lanes {
                    for (row, word) in (dst..).zip(words) {
                        rows.set(row, lane, word);
                    }
                }
            }
            SubgroupOp::InverseBallot => {
                for &lane in lanes {
                    rows.set(dst, lane, u64::from(bit(lane, lane - first)));
                }
            }
            SubgroupOp::BallotBitExtract => {
                for &lane in lanes {
                    let place = rows.get(b, lane) as usize;
                    rows.set(dst, lane, u64::from(place < 128 && bit(lane, place)));
                }
            }
            SubgroupOp::BallotBitCount(combine) => {
                for &lane in lanes {
                    let end = match combine {
                        Combine::Inclusive => lane - first + 1,
                        Combine::Exclusive => lane - first,
                        _ => size.min(128),
                    };
                    rows.set(dst, lane, (0..end.min(128)).filter(|&p| bit(lane, p)).count() as u64);
                }
            }
            SubgroupOp::BallotFindLsb | SubgroupOp::BallotFindMsb => {
                for &lane in lanes {
                    let mut places = (0..size.min(128)).filter(|&p| bit(lane, p));
                    let found = if op == SubgroupOp::BallotFindLsb { places.next() } else { places.next_back() };
                    rows.set(dst, lane, found.map_or(0xffff_ffff, |p| p as u64));
                }
            }
            SubgroupOp::Arithmetic { op, combine, identity } => {
                for i in 0..n {
                    self.scan(op, combine, identity, first, lanes, dst + i, a + i);
                }
            }
        }
    }

    #[allow(clippy::too_many_arguments, reason = "the operands of one instruction")]
    fn scan(&self, op: Binary, combine: Combine, identity: u64, first: usize, lanes: &[usize], dst: Row, a: Row) {
        let rows = self.rows;
        let cluster = match combine {
            Combine::Clustered(size) => size as usize,
            _ => usize::MAX,
        };
        for group in lanes.chunk_by(|x, y| (x - first) / cluster == (y - first) / cluster) {
            let mut total: Option<u64> = None;
            for &lane in group {
                let value = rows.get(a, lane);
                let with = total.map_or(value, |t| binary_one(op, t, value));
                match combine {
                    Combine::Inclusive => rows.set(dst, lane, with),
                    Combine::Exclusive => rows.set(dst, lane, total.unwrap_or(identity)),
                    _ => {}
                }
                total = Some(with);
            }
            if matches!(combine, Combine::Reduce | Combine::Clustered(_)) {
                for &lane in group {
                    rows.set(dst, lane, total.unwrap_or(identity));
                }
            }
        }
    }
}
