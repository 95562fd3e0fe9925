//! Runs the command under `ptrace`, which stops it at each system call. There the command is killed, the call fails, or
//! the files that it uses change.
//!
//! Supports only Linux on x86-64. Systems may forbid tracing ([`is_allowed`]).

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

use libc::{c_int, c_long, c_void, pid_t};

/// A system call that is about to run.
pub struct Call {
    pub number: c_long,
    pub arguments: [u64; 6],
    thread: pid_t,
}

/// Calls that take a path, and the argument that holds it.
const PATHS: [(c_long, usize); 18] = [
    (libc::SYS_open, 0),
    (libc::SYS_openat, 1),
    (libc::SYS_stat, 0),
    (libc::SYS_lstat, 0),
    (libc::SYS_newfstatat, 1),
    (libc::SYS_statx, 1),
    (libc::SYS_access, 0),
    (libc::SYS_faccessat, 1),
    (libc::SYS_readlink, 0),
    (libc::SYS_readlinkat, 1),
    (libc::SYS_mkdir, 0),
    (libc::SYS_mkdirat, 1),
    (libc::SYS_rename, 0),
    (libc::SYS_renameat, 1),
    (libc::SYS_renameat2, 1),
    (libc::SYS_unlink, 0),
    (libc::SYS_unlinkat, 1),
    (libc::SYS_rmdir, 0),
];

/// Calls that change the contents of folders or files, except opening and writing.
const CHANGES: [c_long; 21] = [
    libc::SYS_rename,
    libc::SYS_renameat,
    libc::SYS_renameat2,
    libc::SYS_link,
    libc::SYS_linkat,
    libc::SYS_symlink,
    libc::SYS_symlinkat,
    libc::SYS_unlink,
    libc::SYS_unlinkat,
    libc::SYS_mkdir,
    libc::SYS_mkdirat,
    libc::SYS_rmdir,
    libc::SYS_truncate,
    libc::SYS_ftruncate,
    libc::SYS_fallocate,
    libc::SYS_fsync,
    libc::SYS_fdatasync,
    libc::SYS_fchmod,
    libc::SYS_fchown,
    libc::SYS_chmod,
    libc::SYS_chown,
];

const WRITES: [c_long; 6] = [
    libc::SYS_write,
    libc::SYS_pwrite64,
    libc::SYS_writev,
    libc::SYS_pwritev,
    libc::SYS_sendfile,
    libc::SYS_copy_file_range,
];

impl Call {
    /// Returns the path that the call names, if any.
    pub fn path(&self) -> Option<String> {
        let (_, at) = PATHS.iter().find(|(number, _)| *number == self.number)?;
        let memory = File::open(format!("/proc/{}/mem", self.thread)).ok()?;
        let mut bytes = [0; 512];
        // A path may end at the end of mapped memory.
        let count = memory.read_at(&mut bytes, self.arguments[*at]).ok()?;
        let text = bytes[..count].split(|byte| *byte == 0).next()?;
        Some(String::from_utf8_lossy(text).into_owned())
    }

    pub fn is(&self, numbers: &[c_long]) -> bool {
        numbers.contains(&self.number)
    }

    /// Returns whether the call changes files on the disk. Standard output and error do not count.
    pub fn writes(&self) -> bool {
        let creates = |flags: u64| flags & (libc::O_CREAT | libc::O_TRUNC) as u64 != 0;
        match self.number {
            libc::SYS_open => creates(self.arguments[1]),
            libc::SYS_openat => creates(self.arguments[2]),
            _ if self.is(&WRITES) => self.arguments[0] > 2,
            _ => self.is(&CHANGES),
        }
    }
}

/// An event at a call.
#[derive(Clone, Copy)]
pub enum Fault<'f> {
    /// Kills the process before the call.
    Kill,
    /// Skips the call and returns this error.
    Refuse(c_int),
    /// Runs a function before the call.
    Change(&'f dyn Fn()),
}

/// The end of a command.
pub struct Ended {
    /// The exit status.
    pub status: Option<c_int>,
    /// The signal that ended it.
    pub signal: Option<c_int>,
    pub stdout: String,
    pub stderr: String,
    /// The number of counted calls.
    pub calls: usize,
}

/// Returns whether this process may trace others.
pub fn is_allowed() -> bool {
    let dir = std::env::temp_dir();
    let ran = run(&dir, &["--version"], &|_| false, |_| None);
    if let Err(error) = &ran {
        let _ = io::Write::write_fmt(&mut io::stderr(), format_args!("left out: ptrace is not allowed: {error}\n"));
    }
    ran.is_ok()
}

/// Runs the command. `counts` selects the calls that are numbered, from 0 on; `fault` maps a number to an event.
pub fn run<'f>(
    dir: &Path,
    args: &[&str],
    counts: &dyn Fn(&Call) -> bool,
    fault: impl Fn(usize) -> Option<Fault<'f>>,
) -> io::Result<Ended> {
    let capture = || tempfile::tempfile().expect("a temporary file");
    let (stdout, stderr) = (capture(), capture());
    let mut command = Command::new(env!("CARGO_BIN_EXE_wgc"));
    command.args(args).current_dir(dir).env("NO_COLOR", "1").stdin(Stdio::null());
    command.stdout(stdout.try_clone()?).stderr(stderr.try_clone()?);
    // SAFETY: between fork and exec this makes one system call, which touches no memory.
    unsafe {
        command.pre_exec(|| match libc::ptrace(libc::PTRACE_TRACEME, 0, 0, 0) {
            -1 => Err(io::Error::last_os_error()),
            _ => Ok(()),
        });
    }
    let child = command.spawn()?;
    let process = pid_t::try_from(child.id()).expect("it fits");
    let (status, calls) = watch(process, counts, fault)?;
    let text = |file: File| -> io::Result<String> {
        let mut bytes = vec![0; usize::try_from(file.metadata()?.len()).expect("it fits")];
        file.read_exact_at(&mut bytes, 0)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    };
    Ok(Ended {
        status: libc::WIFEXITED(status).then(|| libc::WEXITSTATUS(status)),
        signal: libc::WIFSIGNALED(status).then(|| libc::WTERMSIG(status)),
        stdout: text(stdout)?,
        stderr: text(stderr)?,
        calls,
    })
}

/// Traces a process from its start, where it waits, to its end.
fn watch<'f>(
    process: pid_t,
    counts: &dyn Fn(&Call) -> bool,
    fault: impl Fn(usize) -> Option<Fault<'f>>,
) -> io::Result<(c_int, usize)> {
    let mut calls = 0;
    // Threads whose call was skipped, with the call's result.
    let mut refused: Vec<(pid_t, c_int)> = Vec::new();
    let mut is_set_up = false;
    loop {
        let mut status = 0;
        // Includes its other threads, but no children of other threads of ours.
        // SAFETY: the status is alive.
        let thread = unsafe { libc::waitpid(-1, &mut status, libc::__WALL | libc::__WNOTHREAD) };
        if thread == -1 {
            return Err(io::Error::last_os_error());
        }
        if !libc::WIFSTOPPED(status) {
            if thread == process {
                return Ok((status, calls));
            }
            continue;
        }
        if !is_set_up {
            let options = libc::PTRACE_O_TRACESYSGOOD | libc::PTRACE_O_TRACECLONE | libc::PTRACE_O_EXITKILL;
            request(libc::PTRACE_SETOPTIONS, thread, 0, c_long::from(options))?;
            is_set_up = true;
        }
        let mut signal = libc::WSTOPSIG(status);
        if signal == libc::SIGTRAP | 0x80 {
            signal = 0;
            if let Some(at) = refused.iter().position(|(waits, _)| *waits == thread) {
                let (_, error) = refused.swap_remove(at);
                request(libc::PTRACE_POKEUSER, thread, register(libc::RAX), -c_long::from(error))?;
            } else if let Some(call) = entered(thread)?
                && counts(&call)
            {
                match fault(calls) {
                    Some(Fault::Kill) => {
                        // SAFETY: the process is our child, and we have not waited for its end.
                        unsafe { libc::kill(process, libc::SIGKILL) };
                    }
                    Some(Fault::Refuse(error)) => {
                        request(libc::PTRACE_POKEUSER, thread, register(libc::ORIG_RAX), -1)?;
                        refused.push((thread, error));
                    }
                    Some(Fault::Change(change)) => change(),
                    None => {}
                }
                calls += 1;
            }
        } else if signal == libc::SIGTRAP || signal == libc::SIGSTOP {
            // The start of the program or of a thread.
            signal = 0;
        }
        // It may have been killed meanwhile: its exit is reported next.
        let _ = request(libc::PTRACE_SYSCALL, thread, 0, c_long::from(signal));
    }
}

/// Returns the offset of a register for `PTRACE_POKEUSER`, by its number.
fn register(number: c_int) -> c_long {
    c_long::from(number) * 8
}

/// Returns the call that a stopped thread enters, or `None` when it leaves one.
fn entered(thread: pid_t) -> io::Result<Option<Call>> {
    // SAFETY: a structure of numbers.
    let mut info: libc::ptrace_syscall_info = unsafe { std::mem::zeroed() };
    let bytes = size_of_val(&info);
    // SAFETY: the structure has the given number of bytes.
    let result = unsafe {
        libc::ptrace(libc::PTRACE_GET_SYSCALL_INFO, thread, bytes, std::ptr::from_mut(&mut info).cast::<c_void>())
    };
    match (result, info.op) {
        // It has been killed meanwhile.
        (-1, _) if io::Error::last_os_error().raw_os_error() == Some(libc::ESRCH) => Ok(None),
        (-1, _) => Err(io::Error::last_os_error()),
        (_, libc::PTRACE_SYSCALL_INFO_ENTRY) => {
            // SAFETY: the kernel has filled this part of the union, according to `op`.
            let entry = unsafe { info.u.entry };
            Ok(Some(Call { number: entry.nr as c_long, arguments: entry.args, thread }))
        }
        _ => Ok(None),
    }
}

/// Makes a request that reads and writes none of our memory.
fn request(request: libc::c_uint, thread: pid_t, address: c_long, data: c_long) -> io::Result<()> {
    // SAFETY: the requests passed here take numbers.
    match unsafe { libc::ptrace(request, thread, address, data) } {
        -1 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}
