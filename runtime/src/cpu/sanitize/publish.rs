//! Publication of writes between workgroups.
//!
//! A thread publishes by a fence that other workgroups see, followed by an atomic operation. It acquires by an atomic
//! operation followed by such a fence. Each thread does so for itself: another thread's atomic operation publishes its
//! writes only if a barrier of the workgroup is between them. The completion of records publishes like such an
//! operation, and the consumers of the records have acquired all that.

use crate::cpu::program::Fence;

/// The published and acquired accesses of one workgroup. Events have numbers in the order in which they happen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Published {
    /// The event up to which the accesses of all its threads are published.
    all: u32,
    /// The start of the list of its threads that have published more, plus one; 0 for none.
    own: u32,
    /// The atomic operation that has published it.
    by: u32,
    /// The last atomic operation of any of its threads that was followed by a fence.
    acquired: u32,
}

#[derive(Clone, Copy, Debug, Default)]
struct Thread {
    fence: u32,
    /// The event up to which the accesses of all threads come before that fence.
    common: u32,
    /// The fence at the last barrier of the workgroup.
    met: u32,
    atomic: u32,
    acquired: u32,
}

/// The state of the running threads, and of all that ran before.
#[derive(Debug, Default)]
pub struct Publisher {
    threads: Vec<Thread>,
    /// The further publications of threads, beyond the others of their workgroup.
    own: Vec<u32>,
    /// Each thread is a workgroup.
    apart: bool,
    /// Set by a barrier without a later atomic operation.
    met: bool,
    /// Barrier of the workgroup that named buffers.
    barrier: u32,
    /// The last atomic operation of any thread before the last barrier.
    atomic: u32,
    acquired: u32,
}

impl Publisher {
    pub fn start(&mut self, threads: usize, apart: bool) {
        self.threads.clear();
        self.threads.resize(threads, Thread::default());
        (self.apart, self.met, self.barrier, self.atomic, self.acquired) = (apart, false, 0, 0, 0);
    }

    /// Returns the number of entries kept for finished workgroups.
    pub fn kept(&self) -> usize {
        self.own.len()
    }

    /// Records that all threads have reached a barrier.
    pub fn meet(&mut self, event: u32, fence: Fence) {
        self.met = true;
        for thread in &mut self.threads {
            thread.met = thread.fence;
            self.atomic = self.atomic.max(thread.atomic);
            self.acquired = self.acquired.max(thread.acquired);
        }
        if fence.device {
            self.barrier = event;
        }
    }

    /// Records that a thread has reached a fence that other workgroups see. `control`: it belongs to a barrier.
    pub fn fence(&mut self, group: &mut Published, event: u32, thread: usize, fence: Fence, control: bool) {
        let Some(slot) = self.threads.get_mut(thread) else { return };
        if fence.release {
            (slot.fence, slot.common) = (event, self.barrier);
            if control {
                slot.met = event;
            }
        }
        if !fence.acquire {
            return;
        }
        slot.acquired = slot.atomic.max(self.atomic);
        group.acquired = group.acquired.max(slot.acquired);
        if control {
            self.acquired = self.acquired.max(slot.acquired);
        }
    }

    /// Records a thread's atomic operation that other workgroups see.
    pub fn atomic(&mut self, group: &mut Published, event: u32, thread: usize) {
        let Some(slot) = self.threads.get_mut(thread) else { return };
        slot.atomic = event;
        let Thread { fence, common, .. } = *slot;
        let before = group.all;
        group.all = before.max(if self.apart { fence } else { common });
        if self.met && !self.apart {
            let least = self.threads.iter().map(|thread| thread.met).min().unwrap_or(0);
            group.all = group.all.max(least);
        }
        let mut more = group.all > before;
        if !self.apart {
            more |= self.publish_own(group, thread, fence);
            for thread in 0..if self.met { self.threads.len() } else { 0 } {
                let met = self.threads.get(thread).map_or(0, |thread| thread.met);
                more |= self.publish_own(group, thread, met);
            }
            self.met = false;
        }
        if more {
            group.by = event;
        }
    }

    fn publish_own(&mut self, group: &mut Published, thread: usize, until: u32) -> bool {
        if until <= group.all {
            return false;
        }
        if group.own == 0 {
            group.own = self.own.len() as u32 + 1;
            self.own.resize(self.own.len() + self.threads.len(), 0);
        }
        let slot = self.own.get_mut(group.own as usize - 1 + thread);
        slot.is_some_and(|slot| std::mem::replace(slot, until.max(*slot)) < until)
    }

    /// Completes records by several threads together. The records carry the accesses that each thread has fenced, and
    /// everything that it had acquired. With `thread` it is one thread alone, which has the accesses of others only
    /// after a barrier of the workgroup. Consumers of the records need no fence of their own. Neither did the threads
    /// after the atomic operations that made them send: completion is not reordered.
    pub fn complete(&mut self, event: u32, thread: Option<usize>) -> Published {
        let mut done = Published { by: event, ..Published::default() };
        let one = thread.and_then(|thread| self.threads.get(thread));
        if self.apart {
            (done.all, done.acquired) = one.map_or((0, 0), |one| (one.fence, one.atomic));
            return done;
        }
        let until = |n: usize, slot: &Thread| match thread {
            Some(thread) if thread != n => slot.met,
            _ => slot.fence,
        };
        let (all, atomic) = match one {
            Some(one) => (one.common, one.atomic),
            None => {
                let most = |of: fn(&Thread) -> u32| self.threads.iter().map(of).max().unwrap_or(0);
                (most(|slot| slot.common), most(|slot| slot.atomic))
            }
        };
        let slots = self.threads.iter().enumerate();
        done.all = all.max(slots.clone().map(|(n, slot)| until(n, slot)).min().unwrap_or(0));
        done.acquired = atomic.max(self.atomic);
        if slots.clone().any(|(n, slot)| until(n, slot) > done.all) {
            done.own = self.own.len() as u32 + 1;
            let own: Vec<u32> = slots.map(|(n, slot)| until(n, slot)).collect();
            self.own.extend(own);
        }
        done
    }

    /// Records that a thread has reported its workgroup as finished with a record: an atomic operation that acquires.
    pub fn finish(&mut self, group: &mut Published, event: u32, thread: usize) {
        self.atomic(group, event, thread);
        if let Some(slot) = self.threads.get_mut(thread) {
            slot.acquired = event;
        }
        group.acquired = event;
    }

    /// Returns the last event that a running thread has acquired.
    pub fn acquired(&self, thread: usize) -> u32 {
        self.threads.get(thread).map_or(0, |thread| thread.acquired).max(self.acquired)
    }
}

impl Published {
    /// Returns the last event that any of its threads has acquired.
    pub fn acquired(&self) -> u32 {
        self.acquired
    }

    /// Returns whether records with this publication include a thread's access at an event of their workgroup.
    pub fn takes(&self, publisher: &Publisher, event: u32, thread: Option<usize>, threads: usize) -> bool {
        self.reaches(publisher, event, thread, threads, self.by)
    }

    /// Returns whether an access at an event by a thread of this workgroup (`None`: some of them) is published to a
    /// thread that has acquired everything until `acquired`.
    pub fn reaches(
        &self,
        publisher: &Publisher,
        event: u32,
        thread: Option<usize>,
        threads: usize,
        acquired: u32,
    ) -> bool {
        if self.by == 0 || self.by > acquired {
            return false;
        }
        let own = (self.own as usize).checked_sub(1).and_then(|first| publisher.own.get(first..first + threads));
        let own = own.unwrap_or(&[]);
        let more = match thread {
            Some(thread) => own.get(thread).copied(),
            None => own.iter().copied().max(),
        };
        event <= self.all.max(more.unwrap_or(0))
    }
}
