//! Records that wait for a node at one recursion level.

use crate::cpu::random::Random;
use crate::cpu::settings::Order;
use std::collections::VecDeque;

#[derive(Debug)]
pub struct Queue {
    pub node: usize,
    /// Recursion levels its workgroups have left.
    pub level: u32,
    stride: usize,
    bytes: VecDeque<u8>,
    /// Arrival number of each record.
    arrivals: VecDeque<u64>,
}

impl Queue {
    pub fn new(node: usize, level: u32, stride: usize) -> Queue {
        Queue { node, level, stride, bytes: VecDeque::new(), arrivals: VecDeque::new() }
    }

    pub fn len(&self) -> usize {
        self.arrivals.len()
    }

    pub fn is_empty(&self) -> bool {
        self.arrivals.is_empty()
    }

    /// Adds a record, cut or filled with zeros to this node's size.
    pub fn push(&mut self, record: &[u8], arrival: u64) {
        let have = record.len().min(self.stride);
        self.bytes.extend(record.iter().take(have));
        self.bytes.extend(std::iter::repeat_n(0, self.stride - have));
        self.arrivals.push_back(arrival);
    }

    pub fn oldest(&self) -> u64 {
        self.arrivals.front().copied().unwrap_or(u64::MAX)
    }

    pub fn newest(&self) -> u64 {
        self.arrivals.back().copied().unwrap_or(0)
    }

    /// Removes up to `count` records into `out`, one behind the other; returns how many.
    pub fn take(&mut self, count: usize, order: Order, random: &mut Random, out: &mut Vec<u8>) -> usize {
        let count = count.min(self.len());
        for _ in 0..count {
            match order {
                Order::Fifo => {
                    out.extend(self.bytes.drain(..self.stride));
                    self.arrivals.pop_front();
                }
                Order::Lifo => {
                    let start = self.bytes.len() - self.stride;
                    out.extend(self.bytes.drain(start..));
                    self.arrivals.pop_back();
                }
                Order::Random(_) => {
                    // The last record takes the place of the one that leaves.
                    let at = random.below(self.len() as u64) as usize;
                    let (from, to) = (self.bytes.len() - self.stride, at * self.stride);
                    for i in 0..self.stride {
                        self.bytes.swap(from + i, to + i);
                    }
                    out.extend(self.bytes.drain(from..));
                    self.arrivals.swap_remove_back(at);
                }
            }
        }
        count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_order_gives_every_record_once() {
        for (order, expected) in
            [(Order::Fifo, Some([1, 2, 3])), (Order::Lifo, Some([3, 2, 1])), (Order::Random(7), None)]
        {
            let mut queue = Queue::new(0, 0, 2);
            for i in 1..=3u8 {
                // One byte too short, one too long.
                let record = if i == 1 { vec![1] } else { vec![i, 0, 9] };
                queue.push(&record, u64::from(i));
            }
            let mut out = Vec::new();
            assert_eq!(queue.take(5, order, &mut Random::new(7), &mut out), 3);
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
