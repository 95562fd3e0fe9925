//! Requests that are served in child processes: what crashes or hangs there is an answer here.
//!
//! A test calls [`serve_if_asked`] first. [`Worker::start`] runs the same executable again, which then serves requests and
//! never returns. Both ends talk over a socket that is the child's standard input, so that nothing that a library prints
//! disturbs them. A child reports the stage that it enters, which says later what it died of.

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
/// Deep programs need deep stacks; the system gives pages that are touched.
const STACK: usize = 512 << 20;

/// Tells the parent what the child is about to do.
pub struct Stages(UnixStream);

impl Stages {
    /// Enters a stage.
    pub fn enter(&mut self, name: &str) {
        // Without a parent there is nobody to tell, and the next read ends this process.
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

/// Serves requests until the parent ends, if this process was started for that. A panic is answered as if it were a crash: the
/// process ends.
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
    // The end of the parent is the normal end. Nothing of a library's destructors is wanted.
    process::exit(if matches!(served, Ok(Ok(_))) { 0 } else { 101 });
}

/// How a child ended instead of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Death {
    /// The stage that it was in.
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
    /// The system has no process for it.
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

    /// Asks, and waits for the answer as long as no stage lasts longer than `limit`. After an error the worker is dead.
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

    /// Requests so far.
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

/// Has requests answered by some children at once, and hands each answer to `done` with its request. A child that died is
/// replaced, and so is one that has served `lifetime` requests: what compilers cache stays in memory.
///
/// # Panics
/// When no child can be started.
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

/// Calls something that may panic; the error is the panic's message.
///
/// # Errors
/// It panicked.
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
