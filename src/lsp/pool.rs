//! Worker threads for requests. A change may cancel a request and a panic may end it, without further harm.

use crate::internal_error::{self, InternalError};
use crossbeam_channel::{Sender, unbounded};
use std::panic::AssertUnwindSafe;
use wgc_sema::db::Cancelled;

/// The number of threads. Diagnostics may occupy one for long; requests must not wait for them.
const THREADS: usize = 3;

/// The outcome of a job.
#[derive(Debug)]
pub enum Outcome<T> {
    Is(T),
    /// The text changed during the job.
    Cancelled,
    /// Another job computed a part of this one, and panicked. That job reports it.
    Depended,
    Panicked(InternalError),
}

/// Runs a closure that reads a snapshot, and catches cancellation and panics.
pub fn isolated<T>(f: impl FnOnce() -> T) -> Outcome<T> {
    match internal_error::isolated(|| Cancelled::catch(AssertUnwindSafe(f))) {
        Ok(Ok(value)) => Outcome::Is(value),
        Ok(Err(Cancelled::PropagatedPanic)) => Outcome::Depended,
        Ok(Err(_)) => Outcome::Cancelled,
        Err(error) => Outcome::Panicked(error),
    }
}

type Job<T> = Box<dyn FnOnce() -> T + Send>;

/// A pool of threads that send their results to one channel.
pub struct Pool<T> {
    jobs: Sender<Job<T>>,
}

impl<T: Send + 'static> Pool<T> {
    /// Starts the threads; `None` if the system has no memory for even one stack.
    pub fn new(results: Sender<T>) -> Option<Pool<T>> {
        let mut started = 0;
        let (jobs, waiting) = unbounded::<Job<T>>();
        for number in 0..THREADS {
            let (waiting, results) = (waiting.clone(), results.clone());
            let work = move || {
                for job in &waiting {
                    if results.send(job()).is_err() {
                        return;
                    }
                }
            };
            let thread = std::thread::Builder::new().name(format!("wgc-{number}")).stack_size(internal_error::STACK);
            // A single thread is enough to answer everything.
            started += usize::from(thread.spawn(work).is_ok());
        }
        (started > 0).then_some(Pool { jobs })
    }

    pub fn run(&self, job: impl FnOnce() -> T + Send + 'static) {
        let _ = self.jobs.send(Box::new(job));
    }
}

#[cfg(test)]
mod tests {
    use super::{Outcome, isolated};
    use wgc_sema::db::Cancelled;

    #[test]
    fn propagated_panics_differ_from_cancellation() {
        let thrown = |cancelled: Cancelled| isolated(|| -> () { std::panic::resume_unwind(Box::new(cancelled)) });
        assert!(matches!(thrown(Cancelled::PropagatedPanic), Outcome::Depended));
        assert!(matches!(thrown(Cancelled::PendingWrite), Outcome::Cancelled));
        assert!(matches!(isolated(|| -> () { std::panic::resume_unwind(Box::new("x")) }), Outcome::Panicked(_)));
    }
}
