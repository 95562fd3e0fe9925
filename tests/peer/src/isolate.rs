//! Runs requests in child processes, so that a crash or a hang becomes an answer.
//!
//! A test calls [`serve_if_asked`] first. [`Worker::start`] runs the same executable again, which then serves requests
//! and never returns. Both processes communicate over a socket that is the child's standard input, so that output of
//! libraries does no harm. A child reports each stage that it enters, which later shows the stage of a crash.

use std::io::{Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use std::{env, io, panic, process, thread};

const ASKED: &str = "WGC_PEER_WORKER";
const STAGE: u8 = 0;
const REPLY: u8 = 1;
/// Deep programs need deep stacks; the system only commits pages that are touched.
const STACK: usize = 512 << 20;

/// Reports the child's next stage to the parent.
pub struct Stages(UnixStream);

impl Stages {
    /// Enters a stage.
    pub fn enter(&mut self, name: &str) {
        // Without a parent nobody receives it, and the next read ends this process.
        let _ = send(&mut self.0, STAGE, name.as_bytes());
    }
}

fn send(to: &mut UnixStream, kind: u8, bytes: &[u8]) -> io::Result<()> {
    let mut frame = vec![kind];
    frame.extend((bytes.len() as u32).to_le_bytes());
    frame.extend(bytes);
    to.write_all(&frame)
}

fn receive(from: &mut UnixStream) -> io::Result<(u8, Vec<u8>)> {
    let mut head = [0; 5];
    from.read_exact(&mut head)?;
    let length = u32::from_le_bytes([head[1], head[2], head[3], head[4]]);
    let mut bytes = vec![0; length as usize];
    from.read_exact(&mut bytes)?;
    Ok((head[0], bytes))
}

/// Serves requests until the parent ends, if this process was started for that. After a panic the process ends, as
/// after a crash.
pub fn serve_if_asked<S: FnMut(&[u8], &mut Stages) -> Vec<u8>>(make: impl FnOnce() -> S + Send + 'static) {
    if env::var_os(ASKED).is_none() {
        return;
    }
    let serve = move || -> io::Result<()> {
        let input: OwnedFd = io::stdin().as_fd().try_clone_to_owned()?;
        let mut socket = UnixStream::from(input);
        let mut stages = Stages(socket.try_clone()?);
        let mut service = make();
        loop {
            let (_, request) = receive(&mut socket)?;
            let reply = service(&request, &mut stages);
            send(&mut socket, REPLY, &reply)?;
        }
    };
    let served = thread::Builder::new().stack_size(STACK).spawn(serve).map(thread::JoinHandle::join);
    // The end of the parent is the normal end. Skips the destructors of libraries.
    process::exit(if matches!(served, Ok(Ok(_))) { 0 } else { 101 });
}

/// The end of a child that did not answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Death {
    /// Its last stage.
    pub stage: String,
    /// "signal: 11 (SIGSEGV)", "no answer in 20 s".
    pub how: String,
}

/// A child process that serves requests.
pub struct Worker {
    child: Child,
    socket: UnixStream,
    frames: Receiver<(u8, Vec<u8>)>,
    served: usize,
}

impl Worker {
    /// Starts this executable again, as a server.
    ///
    /// # Errors
    /// The system cannot start a process.
    pub fn start() -> io::Result<Worker> {
        let (socket, theirs) = UnixStream::pair()?;
        let quiet = env::var_os("WGC_PEER_VERBOSE").is_none();
        let child = Command::new(env::current_exe()?)
            .env(ASKED, "1")
            .stdin(Stdio::from(OwnedFd::from(theirs)))
            .stdout(Stdio::null())
            .stderr(if quiet { Stdio::null() } else { Stdio::inherit() })
            .spawn()?;
        let (to, frames) = channel();
        let mut from = socket.try_clone()?;
        thread::spawn(move || {
            while let Ok(frame) = receive(&mut from) {
                if to.send(frame).is_err() {
                    break;
                }
            }
        });
        Ok(Worker { child, socket, frames, served: 0 })
    }

    /// Sends a request and waits for the answer while no stage lasts longer than `limit`. After an error the worker is
    /// dead.
    ///
    /// # Errors
    /// The child crashed, or a stage lasted too long.
    pub fn ask(&mut self, request: &[u8], limit: Duration) -> Result<Vec<u8>, Death> {
        self.served += 1;
        let mut stage = "start".to_owned();
        let sent = send(&mut self.socket, REPLY, request);
        while sent.is_ok() {
            match self.frames.recv_timeout(limit) {
                Ok((STAGE, name)) => stage = String::from_utf8_lossy(&name).into_owned(),
                Ok((_, reply)) => return Ok(reply),
                Err(RecvTimeoutError::Timeout) => {
                    let _ = self.child.kill();
                    let _ = self.child.wait();
                    return Err(Death { stage, how: format!("no answer in {} s", limit.as_secs()) });
                }
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        let how = self.child.wait().map_or_else(|e| e.to_string(), |status| status.to_string());
        Err(Death { stage, how })
    }

    /// Returns the number of requests so far.
    pub fn served(&self) -> usize {
        self.served
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Distributes requests to several children in parallel, and passes each answer to `done` with its request. A child
/// that died is replaced. So is one that has served `lifetime` requests, because compilers keep their caches in memory.
///
/// # Panics
/// Panics if no child can be started.
pub fn in_parallel<R: Send, I: Iterator<Item = R> + Send>(
    workers: usize,
    lifetime: usize,
    limit: Duration,
    requests: I,
    spell: impl Fn(&R) -> Vec<u8> + Sync,
    done: impl FnMut(R, Result<Vec<u8>, Death>) + Send,
) {
    let requests = Arc::new(Mutex::new(requests));
    let done = Mutex::new(done);
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                let mut worker: Option<Worker> = None;
                loop {
                    let next = requests.lock().unwrap_or_else(PoisonError::into_inner).next();
                    let Some(request) = next else { break };
                    let own = worker.take().filter(|worker| worker.served() < lifetime);
                    let mut own = own.unwrap_or_else(|| Worker::start().expect("a child process can be started"));
                    let answer = own.ask(&spell(&request), limit);
                    worker = answer.is_ok().then_some(own);
                    done.lock().unwrap_or_else(PoisonError::into_inner)(request, answer);
                }
            });
        }
    });
}

/// Calls a function that may panic; the error is the panic's message.
///
/// # Errors
/// The function panicked.
pub fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    static MESSAGE: Mutex<String> = Mutex::new(String::new());
    static HOOK: std::sync::Once = std::sync::Once::new();
    HOOK.call_once(|| {
        let default = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            *MESSAGE.lock().unwrap_or_else(PoisonError::into_inner) = info.to_string();
            default(info);
        }));
    });
    panic::catch_unwind(panic::AssertUnwindSafe(work))
        .map_err(|_| MESSAGE.lock().unwrap_or_else(PoisonError::into_inner).replace('\n', " "))
}
