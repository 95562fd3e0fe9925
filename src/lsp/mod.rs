//! The language server: `wgc lsp`.
//!
//! One thread, [`Server::run`], owns the state ([`world`]) and handles messages in order. Each request gets a snapshot
//! and runs on a worker ([`pool`]). A change cancels the running requests, which then start again. A panic ends only
//! its own request. Only [`proto`] and [`requests`] know the protocol's types. [`requests`] has the table of requests,
//! [`proto`] reads notifications.

mod builtins;
mod documents;
mod features;
mod graph_view;
mod pool;
mod positions;
mod proto;
mod requests;
mod settings;
mod transport;
mod upkeep;
mod uri;
mod world;

use crate::internal_error::{self, InternalError};
use crossbeam_channel::{Receiver, Sender, select, unbounded};
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use pool::{Outcome, Pool};
use proto::{Client, Event};
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::Value;
use std::path::PathBuf;
pub use transport::received;
use upkeep::Upkeep;
use wgc_sema::report::prefetch::prefetch;
use world::{Snapshot, World};

/// The limit of panic reports for one server: a panic tends to repeat with each typed letter.
const MAX_REPORTS: u32 = 16;

/// The limit of attempts for a request that changes keep cancelling.
const MAX_ATTEMPTS: u32 = 8;
/// The answer to a request that waited for another one, which had an internal error.
const DEPENDED: &str = "internal error in another request that this one needs; the log names its report";

/// The first request of a session.
const INITIALIZE: &str = "initialize";

/// The error for a client that leaves without saying goodbye.
const LEFT: &str = "the client exited without `shutdown`";

/// The result of a worker.
enum Done {
    Answer {
        request: Request,
        attempts: u32,
        outcome: Outcome<Result<Value, requests::Fault>>,
    },
    /// Diagnostics of all files that have some, with the state that they belong to.
    Diagnosed {
        state: u64,
        outcome: Outcome<Vec<proto::OfFile>>,
    },
    /// The diagnostics queries were prefetched or not: nothing waits for them.
    Ahead,
}

/// Serves a client until it says goodbye.
///
/// # Errors
/// The client violates the protocol or disappears.
pub fn serve(connection: &Connection) -> Result<(), String> {
    serve_within(connection, upkeep::MAX_GROWTH)
}

/// Works like [`serve`], with another limit for obsolete values in the database.
///
/// # Errors
/// Those of [`serve`].
pub fn serve_within(connection: &Connection, most_growth: usize) -> Result<(), String> {
    let (id, params) = first_request(connection)?;
    let client = proto::client(params);
    let answer = proto::initialized(&client);
    let server = Server::new(connection.sender.clone(), client, most_growth)?;
    server.send(Response::new_ok(id, answer));
    server.run(&connection.receiver)
}

/// Returns the ID and parameters of `initialize`. Rejects requests that come earlier, and ignores all other messages.
fn first_request(connection: &Connection) -> Result<(RequestId, Value), String> {
    for message in &connection.receiver {
        match message {
            Message::Request(request) if request.method == INITIALIZE => return Ok((request.id, request.params)),
            Message::Request(request) => {
                let message = format!("`{INITIALIZE}` must come first");
                let early = Response::new_err(request.id, ErrorCode::ServerNotInitialized as i32, message);
                // A lost client is detected when the next receive fails.
                let _ = connection.sender.send(early.into());
            }
            Message::Notification(note) if note.method == "exit" => return Err(LEFT.into()),
            Message::Notification(_) | Message::Response(_) => {}
        }
    }
    Err("the client closed the connection".into())
}

/// Serves a client on standard input and output.
///
/// # Errors
/// Those of [`serve`].
pub fn stdio() -> Result<(), String> {
    internal_error::watch();
    let (connection, transport) = transport::stdio()?;
    let served = serve(&connection);
    // The writer ends when the last sender is gone.
    drop(connection);
    transport.end(served)
}

struct Server {
    out: Sender<Message>,
    client: Client,
    world: World,
    pool: Pool<Done>,
    done: Receiver<Done>,
    /// Requests without an answer so far.
    pending: FxHashSet<RequestId>,
    /// The number of changes.
    state: u64,
    /// The state of the last requested diagnostics.
    diagnosed: u64,
    /// The state that graph views and other documents were last notified of.
    notified: u64,
    /// The number of requests to the client.
    asked: i32,
    /// The pending requests to the client for settings.
    settings: FxHashSet<RequestId>,
    /// The last published diagnostics, by path.
    published: FxHashMap<String, proto::OfFile>,
    upkeep: Upkeep,
    /// The number of panic reports so far.
    reports: u32,
    /// The client is ready for requests.
    begun: bool,
    shut_down: bool,
}

impl Server {
    fn new(out: Sender<Message>, client: Client, most_growth: usize) -> Result<Server, String> {
        let (tell, done) = unbounded();
        let pool = Pool::new(tell).ok_or_else(internal_error::short_of_memory)?;
        let world = World::new(client.encoding, client.settings.arguments.clone(), client.folders.first().cloned());
        Ok(Server {
            out,
            client,
            world,
            pool,
            done,
            pending: FxHashSet::default(),
            state: 0,
            diagnosed: 0,
            notified: 0,
            asked: 0,
            settings: FxHashSet::default(),
            published: FxHashMap::default(),
            upkeep: Upkeep::new(most_growth),
            reports: 0,
            begun: false,
            shut_down: false,
        })
    }

    fn run(mut self, incoming: &Receiver<Message>) -> Result<(), String> {
        let done = self.done.clone();
        loop {
            select! {
                recv(incoming) -> message => match message {
                    Ok(Message::Notification(note)) if note.method == "exit" => {
                        return if self.shut_down { Ok(()) } else { Err(LEFT.into()) };
                    }
                    Ok(message) => self.message(message),
                    Err(_) => return Err("the client closed the connection".into()),
                },
                recv(done) -> done => if let Ok(done) = done { self.done(done) },
            }
            // Several waiting changes are diagnosed together.
            if incoming.is_empty() {
                self.diagnose();
            }
        }
    }

    /// Starts to send requests, now that the client is ready.
    fn begin(&mut self) {
        for message in std::mem::take(&mut self.client.wrong) {
            self.send(proto::show(&message));
        }
        if let Some(asked) = proto::registrations(&self.client) {
            self.ask(asked);
        }
        self.ask_settings();
    }

    fn send(&self, message: impl Into<Message>) {
        // A lost client is detected when the next receive fails.
        let _ = self.out.send(message.into());
    }

    fn message(&mut self, message: Message) {
        match message {
            Message::Request(request) => self.request(request),
            Message::Notification(note) if note.method == "initialized" && !self.begun => {
                self.begun = true;
                self.begin();
            }
            Message::Notification(_) if self.shut_down => {}
            Message::Notification(note) => {
                let asked = asked(&note.method, &note.params["textDocument"]["uri"]);
                if let Err(error) = internal_error::isolated(|| self.notification(note)) {
                    self.report(&error, &asked);
                }
            }
            Message::Response(response) => {
                // Answers to other requests are ignored.
                if self.settings.remove(&response.id)
                    && let Ok(Value::Array(sections)) = response.response_result
                {
                    let configured = internal_error::isolated(|| sections.iter().for_each(|one| self.configure(one)));
                    if let Err(error) = configured {
                        self.report(&error, "workspace/configuration");
                    }
                }
            }
        }
    }

    /// Sends a request to the client.
    fn ask(&mut self, (method, params): (&str, Value)) -> RequestId {
        self.asked += 1;
        let id = RequestId::from(format!("wgc-{}", self.asked));
        self.send(Request::new(id.clone(), method.to_owned(), params));
        id
    }

    /// Makes the client refresh its views.
    fn ask_again(&mut self) {
        proto::refreshes(&self.client).into_iter().for_each(|asked| _ = self.ask(asked));
    }

    fn ask_settings(&mut self) -> bool {
        let Some(asked) = proto::ask_settings(&self.client) else { return false };
        let id = self.ask(asked);
        self.settings.insert(id)
    }

    /// Applies new settings.
    fn configure(&mut self, given: &Value) {
        let mut settings = self.client.settings.clone();
        let mut messages = settings.read(given);
        if settings != self.client.settings {
            messages.extend(self.world.configure(&settings.arguments));
            self.client.settings = settings;
            self.state += 1;
            self.ask_again();
        }
        for message in messages {
            self.send(proto::show(&message));
        }
    }

    fn request(&mut self, request: Request) {
        let refused = match request.method.as_str() {
            _ if self.shut_down => "the server is shutting down",
            INITIALIZE => "the server is already initialized",
            "shutdown" => {
                self.shut_down = true;
                return self.send(Response::new_ok(request.id, Value::Null));
            }
            // The client could not tell the answers apart.
            _ if !self.pending.insert(request.id.clone()) => "a request with this id is pending",
            _ => return self.start(request, 1),
        };
        self.send(Response::new_err(request.id, ErrorCode::InvalidRequest as i32, refused.to_owned()));
    }

    fn start(&mut self, request: Request, attempts: u32) {
        let Some(answer) = requests::find(&request.method) else {
            let message = format!("unknown method `{}`", request.method);
            return self.fail(&request.id, ErrorCode::MethodNotFound, message);
        };
        let snapshot = self.world.snapshot();
        let client = self.client.clone();
        self.pool.run(move || {
            let params = request.params.clone();
            let outcome = pool::isolated(|| {
                internal_error::simulate(Some(&request.method));
                answer(&snapshot, &client, params)
            });
            drop(snapshot);
            Done::Answer { request, attempts, outcome }
        });
    }

    fn fail(&mut self, id: &RequestId, code: ErrorCode, message: String) {
        if self.pending.remove(id) {
            self.send(Response::new_err(id.clone(), code as i32, message));
        }
    }

    fn notification(&mut self, note: Notification) {
        internal_error::simulate(Some(&note.method));
        let event = match proto::event(&note.method, note.params) {
            Ok(Some(event)) => event,
            Ok(None) => return,
            // From now on, the client's texts and ours may differ.
            Err(wrong) => return self.send(proto::log(&format!("cannot read `{}`: {wrong}", note.method))),
        };
        let messages = match event {
            Event::Open { uri, version, text } => {
                let messages = self.world.open(&uri, version, &text);
                if !self.world.is_busy() {
                    self.prefetch(uri);
                }
                messages
            }
            Event::Change { uri, version, changes } => {
                self.world.change(&uri, version, changes);
                Vec::new()
            }
            Event::Close { uri } => {
                self.world.close(&uri);
                Vec::new()
            }
            Event::OnDisk { uris } => {
                let messages = self.world.changed_on_disk(&uris);
                self.ask_again();
                messages
            }
            Event::Settings(given) => {
                if !self.ask_settings() {
                    self.configure(&given);
                }
                return;
            }
            Event::Folders { added, removed } => {
                let folders = &mut self.client.folders;
                folders.retain(|folder| !removed.contains(folder));
                folders.extend(added);
                let messages = self.world.move_to(folders.first().cloned());
                self.ask_again();
                messages
            }
            Event::Cancel(id) => return self.fail(&id, ErrorCode::RequestCanceled, "cancelled".into()),
        };
        if self.upkeep.is_due(|| self.world.stored_values()) {
            self.world.renew();
            self.send(proto::note("wgc restarted its analysis to free memory of old texts"));
        }
        self.state += 1;
        for message in messages {
            self.send(proto::show(&message));
        }
    }

    /// Starts diagnostics of the present state, unless the client pulls them.
    fn diagnose(&mut self) {
        if self.notified != self.state {
            self.notified = self.state;
            if self.client.draws {
                self.send(proto::graph_changed());
            }
            if self.world.shows_several() {
                self.ask_again();
            }
        }
        if self.diagnosed == self.state || self.client.pulls {
            return;
        }
        self.diagnosed = self.state;
        let (state, snapshot, client) = (self.state, self.world.snapshot(), self.client.clone());
        self.pool.run(move || {
            let outcome = pool::isolated(|| {
                internal_error::simulate(Some(proto::DIAGNOSTICS));
                proto::of_files(&snapshot, &client)
            });
            drop(snapshot);
            Done::Diagnosed { state, outcome }
        });
    }

    /// Prefetches the diagnostics of a new document on a second thread.
    fn prefetch(&self, uri: String) {
        let snapshot = self.world.snapshot();
        self.pool.run(move || {
            // A panic shows up again when the diagnostics are computed.
            let _ = pool::isolated(|| {
                let programs = snapshot.programs_of(&snapshot.path(&uri));
                programs.into_iter().for_each(|program| prefetch(&snapshot.db, program));
            });
            drop(snapshot);
            Done::Ahead
        });
    }

    fn done(&mut self, done: Done) {
        match done {
            Done::Ahead => {}
            Done::Answer { request, attempts, outcome } => self.answered(request, attempts, outcome),
            // The result of an earlier state: a newer one is on its way.
            Done::Diagnosed { state, .. } if state != self.state => {}
            Done::Diagnosed { outcome: Outcome::Is(files), .. } => self.publish(files),
            // Alone, a job that depended on a panic panics itself, and is reported.
            Done::Diagnosed { outcome: Outcome::Cancelled | Outcome::Depended, .. } => self.diagnosed = 0,
            Done::Diagnosed { outcome: Outcome::Panicked(error), .. } => {
                self.report(&error, proto::DIAGNOSTICS);
            }
        }
    }

    fn answered(&mut self, request: Request, attempts: u32, outcome: Outcome<Result<Value, requests::Fault>>) {
        let id = request.id.clone();
        match outcome {
            Outcome::Is(Ok(value)) => {
                if self.pending.remove(&id) {
                    let shown = value.get("uri").and_then(Value::as_str).filter(|_| self.client.shows);
                    let shown =
                        shown.filter(|_| request.method == "workspace/executeCommand").map(proto::show_document);
                    self.send(Response::new_ok(id, value));
                    if let Some(asked) = shown {
                        self.ask(asked);
                    }
                }
            }
            Outcome::Is(Err(fault)) => self.fail(&id, ErrorCode::InvalidParams, fault.0),
            Outcome::Cancelled | Outcome::Depended if !self.pending.contains(&id) => {}
            Outcome::Cancelled | Outcome::Depended if attempts < MAX_ATTEMPTS => self.start(request, attempts + 1),
            Outcome::Cancelled => self.fail(&id, ErrorCode::ContentModified, "the text changes too often".into()),
            Outcome::Depended => self.fail(&id, ErrorCode::InternalError, DEPENDED.into()),
            Outcome::Panicked(error) => {
                let message = self.report(&error, &asked(&request.method, &request.params));
                self.fail(&id, ErrorCode::InternalError, message);
            }
        }
    }

    /// Writes a report of a panic with the current texts, and logs it.
    fn report(&mut self, error: &InternalError, asked: &str) -> String {
        self.reports += 1;
        let reproduction = match self.reports {
            ..=MAX_REPORTS => self.write_report(error, asked),
            _ => Err(std::io::Error::other(format!("there are already {MAX_REPORTS} reports"))),
        };
        let message = internal_error::message(error, &reproduction);
        self.send(proto::log(&message));
        message
    }

    fn write_report(&self, error: &InternalError, asked: &str) -> std::io::Result<PathBuf> {
        let snapshot = self.world.snapshot();
        // Listing the files may be the very operation that panics.
        let paths = internal_error::isolated(|| snapshot.paths()).unwrap_or_else(|_| snapshot.open_paths());
        let texts: Vec<_> = paths.into_iter().map(|path| (path.clone(), snapshot.text(&path).to_vec())).collect();
        internal_error::write_report(error, &format!("language server: {asked}"), &texts)
    }

    /// Publishes diagnostics, and clears files that no longer have any.
    fn publish(&mut self, files: Vec<proto::OfFile>) {
        let mut next: FxHashMap<String, proto::OfFile> = FxHashMap::default();
        for file in files {
            if self.published.get(&file.path) != Some(&file) {
                self.send(proto::publish(&file));
            }
            next.insert(file.path.clone(), file);
        }
        let mut gone: Vec<proto::OfFile> = std::mem::take(&mut self.published).into_values().collect();
        gone.retain(|file| !next.contains_key(&file.path));
        gone.sort_by(|a, b| a.path.cmp(&b.path));
        for file in gone {
            self.send(proto::publish(&file.cleared()));
        }
        self.published = next;
    }
}

/// Formats a request on one line.
fn asked(method: &str, params: &Value) -> String {
    format!("{method} {params}")
}

/// The handler of a request method.
type Answer = fn(&Snapshot, &Client, Value) -> Result<Value, requests::Fault>;
