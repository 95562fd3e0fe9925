//! All pending records, and the order in which they run.

use super::Graph;
use super::queue::{Batch, Origin, Queue};
use crate::cpu::random::Random;
use crate::cpu::settings::{Batching, CpuSettings, Order};
use rustc_hash::FxHashMap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The memory of pending records, and its limit. Threads may share it.
#[derive(Debug)]
pub struct Pending {
    bytes: AtomicU64,
    most: u64,
}

impl Pending {
    pub fn new(most: u64) -> Pending {
        Pending { bytes: AtomicU64::new(0), most }
    }

    /// Counts a record of `stride` bytes.
    ///
    /// # Errors
    /// The records take more memory than allowed.
    pub fn add(&self, stride: usize) -> Result<(), String> {
        let own = Pending::bytes_of(stride, 1);
        self.check(self.bytes.fetch_add(own, Relaxed).saturating_add(own))
    }

    fn remove(&self, stride: usize, count: usize) {
        self.bytes.fetch_sub(Pending::bytes_of(stride, count), Relaxed);
    }

    fn check(&self, bytes: u64) -> Result<(), String> {
        match bytes > self.most {
            true => Err(format!("the pending records of the graph need more than {} bytes", self.most)),
            false => Ok(()),
        }
    }

    /// Returns the bytes of records and of their bookkeeping.
    fn bytes_of(stride: usize, count: usize) -> u64 {
        ((stride + Queue::BYTES_BESIDES) as u64).saturating_mul(count as u64)
    }
}

#[derive(Debug)]
pub struct Queues {
    pending: Pending,
    list: Vec<Queue>,
    /// By node, recursion levels that its workgroups have left, and bytes of a record.
    by_level: FxHashMap<(usize, u32, usize), usize>,
    arrivals: u64,
}

impl Queues {
    /// Creates queues that take `most` bytes in all.
    pub fn new(most: u64) -> Queues {
        Queues { pending: Pending::new(most), list: Vec::new(), by_level: FxHashMap::default(), arrivals: 0 }
    }

    /// Checks that there is room for the host's records to a node and those that share its input.
    ///
    /// # Errors
    /// They take more memory than allowed.
    pub fn check_room(&self, graph: &Graph, node: usize, count: usize) -> Result<(), String> {
        let sharers = graph.nodes.get(node).map_or(&[][..], |n| &n.sharers);
        let nodes = sharers.iter().chain([&node]).filter_map(|at| graph.nodes.get(*at));
        let bytes = nodes.map(|node| Pending::bytes_of(node.stride(), count));
        self.pending.check(bytes.fold(self.pending.bytes.load(Relaxed), u64::saturating_add))
    }

    /// Queues a record for a node and those that share its input.
    ///
    /// # Errors
    /// The pending records take more memory than allowed.
    pub fn push(
        &mut self,
        graph: &Graph,
        (node, level): (usize, u32),
        record: &[u8],
        marks: &[u8],
        origin: Origin,
    ) -> Result<(), String> {
        self.push_one(graph, node, level, record, marks, origin)?;
        for &sharer in graph.nodes.get(node).map_or(&[][..], |n| &n.sharers) {
            let level = graph.nodes.get(sharer).map_or(0, |n| n.recursion);
            self.push_one(graph, sharer, level, record, marks, origin)?;
        }
        Ok(())
    }

    fn push_one(
        &mut self,
        graph: &Graph,
        node: usize,
        level: u32,
        record: &[u8],
        marks: &[u8],
        origin: Origin,
    ) -> Result<(), String> {
        let next = self.list.len();
        // A host may give a node smaller records than those of the nodes that share its input.
        let stride = graph.nodes.get(node).map_or(0, |n| n.stride()).min(record.len());
        self.pending.add(stride)?;
        let at = *self.by_level.entry((node, level, stride)).or_insert(next);
        if at == next {
            self.list.push(Queue::new(node, level, stride));
        }
        self.arrivals += 1;
        if let Some(queue) = self.list.get_mut(at) {
            queue.push(record, marks, origin, self.arrivals);
        }
        Ok(())
    }

    pub fn get(&self, at: usize) -> Option<&Queue> {
        self.list.get(at)
    }

    /// Removes up to `count` records from a queue.
    pub fn take(&mut self, at: usize, count: usize, order: Order, random: &mut Random) -> Batch {
        let Some(queue) = self.list.get_mut(at) else { return Batch::default() };
        let batch = queue.take(count, order, random);
        self.pending.remove(queue.stride, batch.count);
        batch
    }

    /// Returns whether records are pending; with `whole`, enough for a full workgroup.
    fn ready(&self, graph: &Graph, at: usize, whole: bool) -> bool {
        let Some(queue) = self.list.get(at).filter(|q| !q.is_empty()) else { return false };
        let most = graph.nodes.get(queue.node).map_or(1, |n| n.max_records());
        !whole || queue.len() >= most as usize
    }

    /// Returns whether a queue may be served regardless of records that may still come.
    pub fn is_ready(&self, graph: &Graph, at: usize, settings: &CpuSettings) -> bool {
        self.ready(graph, at, settings.batching == Batching::Full)
    }

    /// Returns the queue to serve next.
    pub fn pick(&self, graph: &Graph, settings: &CpuSettings, random: &mut Random) -> Option<usize> {
        let all = 0..self.list.len();
        // A batch that is not full waits for records that may still come.
        let mut candidates: Vec<usize> = all.clone().filter(|&q| self.is_ready(graph, q, settings)).collect();
        if candidates.is_empty() {
            candidates = all.filter(|&q| self.ready(graph, q, false)).collect();
        }
        match settings.order {
            Order::Fifo => candidates.into_iter().min_by_key(|&q| self.list.get(q).map(Queue::oldest)),
            Order::Lifo => candidates.into_iter().max_by_key(|&q| self.list.get(q).map(Queue::newest)),
            Order::Random(_) => {
                let at = random.below(candidates.len() as u64) as usize;
                candidates.get(at).copied()
            }
        }
    }
}
