//! Pending records of a node at one recursion level, all of one size.

use crate::cpu::random::Random;
use crate::cpu::sanitize::Parent;
use crate::cpu::settings::Order;
use std::collections::VecDeque;

/// The origin of a record; all 0 for the host's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// The workgroup that sent it, and when.
    pub parent: Parent,
    /// The instruction that allocated it; 0 for the host's.
    pub word: u32,
}

/// Consecutive records taken from a queue.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    pub count: usize,
    pub bytes: Vec<u8>,
    /// The undefined bits of each byte; empty when there is none.
    pub marks: Vec<u8>,
    pub origins: Vec<Origin>,
}

#[derive(Debug)]
pub struct Queue {
    pub node: usize,
    /// Recursion levels its workgroups have left.
    pub level: u32,
    /// Bytes of a record: the node's, or fewer if it receives less.
    pub stride: usize,
    bytes: VecDeque<u8>,
    /// The undefined bits of each byte; empty as long as there is none.
    marks: VecDeque<u8>,
    /// Arrival number and origin of each record.
    arrivals: VecDeque<(u64, Origin)>,
}

impl Queue {
    /// Bytes that a queue keeps for a record besides its contents.
    pub const BYTES_BESIDES: usize = size_of::<(u64, Origin)>();

    pub fn new(node: usize, level: u32, stride: usize) -> Queue {
        Queue { node, level, stride, bytes: VecDeque::new(), marks: VecDeque::new(), arrivals: VecDeque::new() }
    }

    pub fn len(&self) -> usize {
        self.arrivals.len()
    }

    pub fn is_empty(&self) -> bool {
        self.arrivals.is_empty()
    }

    /// Adds a record, cut or filled with zeros to the size of this queue's. `marks` is empty or has its undefined bits.
    pub fn push(&mut self, record: &[u8], marks: &[u8], origin: Origin, arrival: u64) {
        if self.marks.is_empty() && marks.iter().any(|&m| m != 0) {
            self.marks.resize(self.bytes.len(), 0);
        }
        let keeps_marks = self.marks.len() == self.bytes.len() && (!self.marks.is_empty() || !marks.is_empty());
        let add = |to: &mut VecDeque<u8>, from: &[u8]| {
            let have = from.len().min(self.stride);
            to.extend(from.iter().take(have));
            to.extend(std::iter::repeat_n(0, self.stride - have));
        };
        add(&mut self.bytes, record);
        if keeps_marks {
            add(&mut self.marks, marks);
        }
        self.arrivals.push_back((arrival, origin));
    }

    pub fn oldest(&self) -> u64 {
        self.arrivals.front().map_or(u64::MAX, |a| a.0)
    }

    pub fn newest(&self) -> u64 {
        self.arrivals.back().map_or(0, |a| a.0)
    }

    /// Removes up to `count` records.
    pub fn take(&mut self, count: usize, order: Order, random: &mut Random) -> Batch {
        let mut batch = Batch { count: count.min(self.len()), ..Batch::default() };
        let stride = self.stride;
        for _ in 0..batch.count {
            let last = self.len() - 1;
            let at = match order {
                Order::Fifo => 0,
                Order::Lifo => last,
                Order::Random(_) => random.below(self.len() as u64) as usize,
            };
            let takes = |from: &mut VecDeque<u8>, to: &mut Vec<u8>| {
                if from.is_empty() {
                    return;
                }
                let end = from.len() - stride;
                if at != 0 {
                    // The last record moves into the slot of the removed one.
                    (0..stride).for_each(|i| from.swap(end + i, at * stride + i));
                }
                to.extend(from.drain(if at == 0 { 0..stride } else { end..end + stride }));
            };
            takes(&mut self.bytes, &mut batch.bytes);
            takes(&mut self.marks, &mut batch.marks);
            let taken = if at == 0 { self.arrivals.pop_front() } else { self.arrivals.swap_remove_back(at) };
            batch.origins.extend(taken.map(|t| t.1));
        }
        batch
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_queue_order_yields_each_record_once() {
        for (order, expected) in
            [(Order::Fifo, Some([1, 2, 3])), (Order::Lifo, Some([3, 2, 1])), (Order::Random(7), None)]
        {
            let mut queue = Queue::new(0, 0, 2);
            for i in 1..=3u8 {
                // One byte too short, one too long.
                let record = if i == 1 { vec![1] } else { vec![i, 0, 9] };
                let parent = Parent { group: u32::from(i), ..Parent::default() };
                queue.push(&record, &[0, u8::from(i == 3)], Origin { parent, word: 0 }, u64::from(i));
            }
            let batch = queue.take(5, order, &mut Random::new(7));
            assert_eq!(batch.count, 3);
            let out = batch.bytes;
            let marked = batch.marks.chunks(2).map(|m| m[1] != 0);
            assert!(marked.eq(out.chunks(2).map(|r| r[0] == 3)));
            assert!(batch.origins.iter().map(|o| o.parent.group).eq(out.chunks(2).map(|r| u32::from(r[0]))));
            let mut firsts: Vec<u8> = out.chunks(2).map(|c| c[0]).collect();
            assert!(out.chunks(2).all(|c| c[1] == 0), "{out:?}");
            if let Some(expected) = expected {
                assert_eq!(firsts, expected);
            }
            firsts.sort_unstable();
            assert_eq!(firsts, [1, 2, 3]);
            assert!(queue.is_empty());
        }
    }
}
