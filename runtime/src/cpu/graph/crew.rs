//! Jobs on several threads. Their records, meshes, findings and messages are combined in the order of the jobs, so the
//! result is the same each time. Only their accesses to buffers and images happen in any order.

use super::queue::Origin;
use super::queues::Pending;
use super::worker::{Job, Shared, Sink, Worker};
use crate::cpu::findings::Findings;
use crate::cpu::launch::Instance;
use crate::cpu::memory::Memory;
use crate::cpu::message::Messages;
use crate::mesh::Mesh;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

/// The threads of a dispatch, each with its own memory.
#[derive(Debug)]
pub struct Crew {
    hands: Vec<(Memory, Vec<Option<Instance>>)>,
}

/// The result of a job.
pub struct JobResult {
    pub result: Result<(), String>,
    pub findings: Findings,
    pub messages: Messages,
    pub sent: Sent,
}

/// The records and meshes that the workgroups of a job have emitted.
#[derive(Debug)]
pub struct Sent {
    /// Shared by all jobs that run together.
    pending: Arc<Pending>,
    /// Target, bytes of the record, and of its marks.
    records: Vec<((usize, u32), usize, usize, Origin)>,
    bytes: Vec<u8>,
    marks: Vec<u8>,
    meshes: Vec<(usize, Mesh)>,
}

impl Sink for Sent {
    fn record(&mut self, to: (usize, u32), record: &[u8], marks: &[u8], origin: Origin) -> Result<(), String> {
        self.pending.add(record.len())?;
        self.records.push((to, record.len(), marks.len(), origin));
        self.bytes.extend_from_slice(record);
        self.marks.extend_from_slice(marks);
        Ok(())
    }

    fn mesh(&mut self, node: usize, mesh: Mesh) {
        self.meshes.push((node, mesh));
    }
}

impl Sent {
    fn new(pending: Arc<Pending>) -> Sent {
        Sent { pending, records: Vec::new(), bytes: Vec::new(), marks: Vec::new(), meshes: Vec::new() }
    }

    /// Passes all of it on.
    ///
    /// # Errors
    /// Those of [`Sink::record`].
    pub fn give(self, sink: &mut impl Sink) -> Result<(), String> {
        let (mut bytes, mut marks) = (self.bytes.as_slice(), self.marks.as_slice());
        for (to, length, marked, origin) in self.records {
            let (record, rest) = bytes.split_at_checked(length).unwrap_or((bytes, &[]));
            let (mark, others) = marks.split_at_checked(marked).unwrap_or((marks, &[]));
            (bytes, marks) = (rest, others);
            sink.record(to, record, mark, origin)?;
        }
        for (node, mesh) in self.meshes {
            sink.mesh(node, mesh);
        }
        Ok(())
    }
}

impl Crew {
    /// Creates `threads` workers, or none if one thread is enough.
    pub fn new(threads: u32, memory: &Memory) -> Crew {
        let threads = if threads > 1 { threads } else { 0 };
        Crew { hands: (0..threads).map(|_| (memory.worker(), Vec::new())).collect() }
    }

    pub fn len(&self) -> usize {
        self.hands.len()
    }

    /// Runs jobs and returns their results in order, up to the first that failed.
    pub fn run(&mut self, shared: Shared<'_>, jobs: &[Job]) -> Result<Vec<JobResult>, String> {
        let (next, failed) = (AtomicUsize::new(0), AtomicBool::new(false));
        let pending = Arc::new(Pending::new(shared.settings.max_pending_bytes));
        let work = |memory: &mut Memory, instances: &mut Vec<Option<Instance>>| {
            let mut done = Vec::new();
            while !failed.load(Relaxed) {
                let at = next.fetch_add(1, Relaxed);
                let Some(job) = jobs.get(at) else { break };
                let (mut findings, mut messages) = (Findings::new(shared.settings.sanitize), Messages::default());
                let mut sent = Sent::new(pending.clone());
                let mut worker = Worker {
                    memory: &mut *memory,
                    findings: &mut findings,
                    messages: &mut messages,
                    races: None,
                    instances: &mut *instances,
                };
                let result = worker.run(shared, job, &mut sent);
                if result.is_err() {
                    failed.store(true, Relaxed);
                }
                done.push((at, JobResult { result, findings, messages, sent }));
            }
            done
        };
        let work = &work;
        let mut all: Vec<_> = std::thread::scope(|scope| {
            let hands = self.hands.iter_mut().take(jobs.len());
            // Fewer threads do the same work, if memory is insufficient.
            let threads: Vec<_> = hands
                .map_while(|(memory, instances)| {
                    std::thread::Builder::new().spawn_scoped(scope, move || work(memory, instances)).ok()
                })
                .collect();
            threads.into_iter().map(|thread| thread.join()).collect()
        });
        // The current thread, if there is no other.
        if let (true, Some((memory, instances))) = (all.is_empty(), self.hands.first_mut()) {
            all.push(Ok(work(memory, instances)));
        }
        let mut done = Vec::with_capacity(jobs.len());
        for all in all {
            done.extend(all.map_err(|_| "a thread of the CPU device has failed".to_string())?);
        }
        done.sort_by_key(|(at, _)| *at);
        Ok(done.into_iter().map(|(_, done)| done).collect())
    }
}
