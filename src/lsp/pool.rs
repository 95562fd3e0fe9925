//! Threads for requests, each of which may be cancelled by a change and may panic, without more harm.

use crate::internal_error::{self, InternalError};
use crossbeam_channel::{Sender, unbounded};
use std::panic::AssertUnwindSafe;
use wgc_sema::db::Cancelled;

/// Diagnostics take one thread for as long as they take; requests must not wait for them.
const THREADS: usize = 3;

/// How a job ended.
#[derive(Debug)]
pub enum Outcome<T> {
    Is(T),
    /// The text changed under it.
    Cancelled,
    Panicked(InternalError),
}

/// Runs something that reads a snapshot.
pub fn isolated<T>(f: impl FnOnce() -> T) -> Outcome<T> {
    match internal_error::isolated(|| Cancelled::catch(AssertUnwindSafe(f))) {
        Ok(Ok(value)) => Outcome::Is(value),
        Ok(Err(_)) => Outcome::Cancelled,
        Err(error) => Outcome::Panicked(error),
    }
}

type Job<T> = Box<dyn FnOnce() -> T + Send>;

/// Results go where the pool was told to send them.
pub struct Pool<T> {
    jobs: Sender<Job<T>>,
}

impl<T: Send + 'static> Pool<T> {
    /// `None`: the system has no room for the stack of a thread.
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
            // One of them answers everything.
            started += usize::from(thread.spawn(work).is_ok());
        }
        (started > 0).then_some(Pool { jobs })
    }

    pub fn run(&self, job: impl FnOnce() -> T + Send + 'static) {
        let _ = self.jobs.send(Box::new(job));
    }
}
