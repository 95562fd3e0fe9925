//! All pending records, and the order in which they run.

use super::Graph;
use super::queue::{Origin, Queue};
use crate::cpu::random::Random;
use crate::cpu::settings::{Batching, CpuSettings, Order};
use rustc_hash::FxHashMap;

#[derive(Debug, Default)]
pub struct Queues {
    list: Vec<Queue>,
    /// By node, recursion levels that its workgroups have left, and bytes of a record.
    by_level: FxHashMap<(usize, u32, usize), usize>,
    arrivals: u64,
}

impl Queues {
    /// Queues a record for a node and those that share its input.
    pub fn push(&mut self, graph: &Graph, (node, level): (usize, u32), record: &[u8], marks: &[u8], origin: Origin) {
        self.push_one(graph, node, level, record, marks, origin);
        for &sharer in graph.nodes.get(node).map_or(&[][..], |n| &n.sharers) {
            let level = graph.nodes.get(sharer).map_or(0, |n| n.recursion);
            self.push_one(graph, sharer, level, record, marks, origin);
        }
    }

    fn push_one(&mut self, graph: &Graph, node: usize, level: u32, record: &[u8], marks: &[u8], origin: Origin) {
        let next = self.list.len();
        // A host may give a node smaller records than those of the nodes that share its input.
        let stride = graph.nodes.get(node).map_or(0, |n| n.stride()).min(record.len());
        let at = *self.by_level.entry((node, level, stride)).or_insert(next);
        if at == next {
            self.list.push(Queue::new(node, level, stride));
        }
        self.arrivals += 1;
        if let Some(queue) = self.list.get_mut(at) {
            queue.push(record, marks, origin, self.arrivals);
        }
    }

    pub fn get_mut(&mut self, at: usize) -> Option<&mut Queue> {
        self.list.get_mut(at)
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
