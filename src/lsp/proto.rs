//! Messages of the protocol: capabilities, notifications, and the conversion of plain values from and to JSON.
//! [`super::features`] decides their contents; [`super::requests`] reads the parameters of requests.

use super::builtins;
use super::documents::{Change, MAX_BYTES};
use super::features;
use super::positions::{Encoding, Lines, Position};
use super::settings::Settings;
use super::uri::{path_of, uri_of};
use super::world::{MAX_TOKENS, Snapshot};
use gen_lsp_types as lsp;
use indexmap::IndexMap;
use lsp_server::{Notification, RequestId};
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::ops::Range;
use std::path::PathBuf;
use wgc_ide::{OutlineKind, Symbol};
use wgc_sema::db::diagnostic::{FileRange, Rendered};
use wgc_sema::tables::codes::Severity;
use wgc_sema::tables::figures::grouped;

/// A client's capabilities and settings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Client {
    pub encoding: Encoding,
    /// The folders of the workspace; relative directories in settings are relative to the first.
    pub folders: Vec<PathBuf>,
    /// The client pulls diagnostics.
    pub pulls: bool,
    /// The client supports related information in diagnostics.
    relates: bool,
    /// The client supports the `Unnecessary` tag.
    tags: bool,
    /// The client supports links to pages about codes.
    links_codes: bool,
    /// The client supports hierarchical symbols.
    pub nests: bool,
    /// The client supports versions of documents in edits.
    versions: bool,
    /// The client supports snippets in completions.
    pub snippets: bool,
    /// The client supports `prepareRename`.
    prepares: bool,
    /// The client supports parameters as offsets into labels.
    pub label_offsets: bool,
    /// The client shows graphs, and wants a notification when they may have changed.
    pub draws: bool,
    /// The client opens documents on request.
    pub shows: bool,
    /// The client answers requests for settings, and reports their changes after registration.
    asked_for_settings: bool,
    tells_settings: bool,
    watches: bool,
    /// The refresh requests that the client supports.
    refreshes: Vec<&'static str>,
    pub settings: Settings,
    /// Messages about invalid settings.
    pub wrong: Vec<String>,
}

/// The contents of a notification.
#[derive(Debug)]
pub enum Event {
    Open {
        uri: String,
        version: i32,
        text: String,
    },
    Change {
        uri: String,
        version: i32,
        changes: Vec<Change>,
    },
    Close {
        uri: String,
    },
    OnDisk {
        uris: Vec<String>,
    },
    /// Settings changed; the new ones may be included.
    Settings(Value),
    /// Folders of the workspace changed.
    Folders {
        added: Vec<PathBuf>,
        removed: Vec<PathBuf>,
    },
    Cancel(RequestId),
}

/// The diagnostics of one file.
#[derive(Clone, Debug, PartialEq)]
pub struct OfFile {
    pub path: String,
    uri: String,
    version: Option<i32>,
    diagnostics: Vec<lsp::Diagnostic>,
}

impl OfFile {
    pub fn cleared(self) -> OfFile {
        OfFile { diagnostics: Vec::new(), version: None, ..self }
    }
}

// ---- initialization

/// Reads the parameters of `initialize`. Missing or malformed parts count as absent capabilities.
pub fn client(params: Value) -> Client {
    let at = |path: &str| params.pointer(path);
    let is = |path: &str| at(path).and_then(Value::as_bool).unwrap_or(false);
    let encodings = at("/capabilities/general/positionEncodings").and_then(Value::as_array);
    let offers = |name: &str| encodings.is_some_and(|all| all.iter().any(|one| one == name));
    let mut settings = Settings::default();
    let wrong = at("/initializationOptions").map(|given| settings.read(section(given))).unwrap_or_default();
    let again = [
        ("/capabilities/workspace/codeLens/refreshSupport", "workspace/codeLens/refresh"),
        ("/capabilities/workspace/diagnostics/refreshSupport", "workspace/diagnostic/refresh"),
        ("/capabilities/workspace/inlayHint/refreshSupport", "workspace/inlayHint/refresh"),
        ("/capabilities/workspace/semanticTokens/refreshSupport", "workspace/semanticTokens/refresh"),
    ];
    let mut folders = folders(at("/workspaceFolders"));
    if folders.is_empty() {
        folders.extend(at("/rootUri").and_then(folder));
    }
    Client {
        folders,
        encoding: if offers("utf-8") { Encoding::Utf8 } else { Encoding::Utf16 },
        pulls: at("/capabilities/textDocument/diagnostic").is_some_and(Value::is_object) && !settings.pushes,
        relates: is("/capabilities/textDocument/publishDiagnostics/relatedInformation"),
        tags: at("/capabilities/textDocument/publishDiagnostics/tagSupport").is_some_and(Value::is_object),
        links_codes: is("/capabilities/textDocument/publishDiagnostics/codeDescriptionSupport")
            || is("/capabilities/textDocument/diagnostic/codeDescriptionSupport"),
        prepares: is("/capabilities/textDocument/rename/prepareSupport"),
        label_offsets: is(
            "/capabilities/textDocument/signatureHelp/signatureInformation/parameterInformation/labelOffsetSupport",
        ),
        nests: is("/capabilities/textDocument/documentSymbol/hierarchicalDocumentSymbolSupport"),
        snippets: is("/capabilities/textDocument/completion/completionItem/snippetSupport"),
        draws: is("/capabilities/experimental/wgcGraph"),
        shows: is("/capabilities/window/showDocument/support"),
        asked_for_settings: is("/capabilities/workspace/configuration"),
        tells_settings: is("/capabilities/workspace/didChangeConfiguration/dynamicRegistration"),
        versions: is("/capabilities/workspace/workspaceEdit/documentChanges"),
        watches: is("/capabilities/workspace/didChangeWatchedFiles/dynamicRegistration"),
        refreshes: again.iter().filter(|(path, _)| is(path)).map(|(_, method)| *method).collect(),
        settings,
        wrong,
    }
}

/// Returns the directory of a URI.
fn folder(uri: &Value) -> Option<PathBuf> {
    Some(PathBuf::from(path_of(uri.as_str()?))).filter(|path| path.is_absolute())
}

/// Returns the directories of a list of workspace folders.
fn folders(list: Option<&Value>) -> Vec<PathBuf> {
    let list = list.and_then(Value::as_array).into_iter().flatten();
    list.filter_map(|one| folder(one.get("uri")?)).collect()
}

/// Returns the result of `initialize`.
pub fn initialized(client: &Client) -> Value {
    let encoding = match client.encoding {
        Encoding::Utf8 => "utf-8",
        Encoding::Utf16 => "utf-16",
    };
    let mut capabilities = json!({
        "positionEncoding": encoding,
        "textDocumentSync": { "openClose": true, "change": 2, "save": true },
        "codeActionProvider": { "codeActionKinds": ["quickfix", FIX_ALL] },
        "codeLensProvider": {},
        "callHierarchyProvider": true,
        "completionProvider": {
            "triggerCharacters": [".", ":", "[", "\"", "<", "#", "/"],
            "resolveProvider": true,
        },
        "declarationProvider": true,
        "definitionProvider": true,
        "documentHighlightProvider": true,
        "documentLinkProvider": {},
        "documentFormattingProvider": true,
        "documentOnTypeFormattingProvider": { "firstTriggerCharacter": "}", "moreTriggerCharacter": [";", "\n"] },
        "documentRangeFormattingProvider": true,
        "documentSymbolProvider": true,
        "executeCommandProvider": { "commands": [super::graph_view::COMMAND] },
        "foldingRangeProvider": true,
        "hoverProvider": true,
        "implementationProvider": true,
        "inlayHintProvider": true,
        "referencesProvider": true,
        "renameProvider": if client.prepares { json!({ "prepareProvider": true }) } else { json!(true) },
        "selectionRangeProvider": true,
        "semanticTokensProvider": super::requests::tokens::provider(),
        "signatureHelpProvider": { "triggerCharacters": ["(", ","], "retriggerCharacters": [")"] },
        "typeDefinitionProvider": true,
        "workspace": { "workspaceFolders": { "supported": true, "changeNotifications": true } },
        "workspaceSymbolProvider": true,
    });
    if client.pulls {
        capabilities["diagnosticProvider"] =
            json!({ "identifier": "wgc", "interFileDependencies": true, "workspaceDiagnostics": false });
    }
    json!({
        "capabilities": capabilities,
        "serverInfo": { "name": "wgc", "version": env!("CARGO_PKG_VERSION") },
    })
}

/// The kind of the code action that applies all safe fixes of a file.
pub const FIX_ALL: &str = "source.fixAll.wgc";

// ---- notifications

/// Reads a notification; `None` if it is not for this server.
///
/// # Errors
/// The reason why the parameters cannot be read.
pub fn event(method: &str, params: Value) -> Result<Option<Event>, serde_json::Error> {
    fn read<T: serde::de::DeserializeOwned>(params: Value) -> Result<T, serde_json::Error> {
        serde_json::from_value(params)
    }
    Ok(Some(match method {
        "textDocument/didOpen" => {
            let item = read::<lsp::DidOpenTextDocumentParams>(params)?.text_document;
            Event::Open { uri: item.uri.0, version: item.version, text: item.text }
        }
        "textDocument/didChange" => {
            // A change with a malformed range would otherwise replace the whole document.
            let changes = params.get("contentChanges").and_then(Value::as_array).into_iter().flatten();
            for range in changes.filter_map(|change| change.get("range")).filter(|range| !range.is_null()) {
                read::<lsp::Range>(range.clone())?;
            }
            let params = read::<lsp::DidChangeTextDocumentParams>(params)?;
            let document = params.text_document;
            let changes = params.content_changes.into_iter().map(change).collect();
            Event::Change { uri: document.text_document_identifier.uri.0, version: document.version, changes }
        }
        "textDocument/didClose" => {
            Event::Close { uri: read::<lsp::DidCloseTextDocumentParams>(params)?.text_document.uri.0 }
        }
        // Project files take effect when they are saved, even if the client watches no files.
        "textDocument/didSave" => {
            let uri = read::<lsp::DidSaveTextDocumentParams>(params)?.text_document.uri.0;
            if !uri.ends_with(".json") {
                return Ok(None);
            }
            Event::OnDisk { uris: vec![uri] }
        }
        "workspace/didChangeWatchedFiles" => {
            let changes = read::<lsp::DidChangeWatchedFilesParams>(params)?.changes;
            Event::OnDisk { uris: changes.into_iter().map(|change| change.uri.0).collect() }
        }
        "workspace/didChangeConfiguration" => {
            let settings = params.get("settings").cloned().unwrap_or_default();
            Event::Settings(section(&settings).clone())
        }
        "workspace/didChangeWorkspaceFolders" => {
            let of = |key: &str| folders(params.pointer(key));
            Event::Folders { added: of("/event/added"), removed: of("/event/removed") }
        }
        "$/cancelRequest" => match read::<RequestId>(params.get("id").cloned().unwrap_or_default()) {
            Ok(id) => Event::Cancel(id),
            // No request has such an ID.
            Err(_) => return Ok(None),
        },
        _ => return Ok(None),
    }))
}

/// Returns the settings of wgc: clients send the section itself, or an object that contains it.
fn section(settings: &Value) -> &Value {
    settings.get("wgc").unwrap_or(settings)
}

fn change(event: lsp::TextDocumentContentChangeEvent) -> Change {
    match event {
        lsp::TextDocumentContentChangeEvent::TextDocumentContentChangePartial(part) => {
            Change { range: Some(position(part.range.start)..position(part.range.end)), text: part.text }
        }
        lsp::TextDocumentContentChangeEvent::TextDocumentContentChangeWholeDocument(whole) => {
            Change { range: None, text: whole.text }
        }
    }
}

fn notification(method: &str, params: impl Serialize) -> Notification {
    Notification::new(method.to_owned(), params)
}

/// Notifies views that a graph may have changed.
pub fn graph_changed() -> Notification {
    notification("wgc/graphChanged", json!({}))
}

/// A request to the client: method and parameters.
type Asked = (&'static str, Value);

/// Returns the registrations for notifications, sent once the client is ready.
pub fn registrations(client: &Client) -> Option<Asked> {
    let row =
        |id: &str, method: &str, options: Value| json!({ "id": id, "method": method, "registerOptions": options });
    let mut all = Vec::new();
    if client.tells_settings {
        all.push(row("wgc-settings", "workspace/didChangeConfiguration", json!({ "section": "wgc" })));
    }
    if client.watches {
        let pattern = json!({ "globPattern": WATCHED });
        all.push(row("wgc-files", "workspace/didChangeWatchedFiles", json!({ "watchers": [pattern] })));
    }
    (!all.is_empty()).then(|| ("client/registerCapability", json!({ "registrations": all })))
}

/// Files that shaders include, and the files that configure their compilation.
const WATCHED: &str = "**/*.{hlsl,hlsli,slang,slangh,fx,fxh,h,inc,json}";

/// Requests the settings of the section `wgc`, if the client supports that.
pub fn ask_settings(client: &Client) -> Option<Asked> {
    client.asked_for_settings.then(|| ("workspace/configuration", json!({ "items": [{ "section": "wgc" }] })))
}

/// Requests that the client refresh its views.
pub fn refreshes(client: &Client) -> Vec<Asked> {
    client.refreshes.iter().map(|method| (*method, Value::Null)).collect()
}

/// Requests that a document be opened outside the editor.
pub fn show_document(uri: &str) -> Asked {
    ("window/showDocument", json!({ "uri": uri, "external": true }))
}

/// Shows the user a message.
pub fn show(message: &str) -> Notification {
    notification("window/showMessage", json!({ "type": 2, "message": message }))
}

/// Logs a message with low priority.
pub fn note(message: &str) -> Notification {
    notification("window/logMessage", json!({ "type": 4, "message": message }))
}

pub fn log(message: &str) -> Notification {
    notification("window/logMessage", json!({ "type": 1, "message": message }))
}

/// The method that publishes diagnostics.
pub const DIAGNOSTICS: &str = "textDocument/publishDiagnostics";

pub fn publish(file: &OfFile) -> Notification {
    let params = lsp::PublishDiagnosticsParams {
        uri: lsp::Uri(file.uri.clone()),
        version: file.version,
        diagnostics: file.diagnostics.clone(),
    };
    notification(DIAGNOSTICS, params)
}

// ---- positions

pub fn position(at: lsp::Position) -> Position {
    Position { line: at.line, column: at.character }
}

fn place(at: Position) -> lsp::Position {
    lsp::Position { line: at.line, character: at.column }
}

/// A converter of file ranges to the client's positions. Caches the lines of each file.
pub struct Places<'w> {
    world: &'w Snapshot,
    lines: HashMap<String, Lines>,
}

impl<'w> Places<'w> {
    pub fn new(world: &'w Snapshot) -> Places<'w> {
        Places { world, lines: HashMap::new() }
    }

    fn lines(&mut self, path: &str) -> &Lines {
        self.lines.entry(path.to_owned()).or_insert_with(|| self.world.lines(path))
    }

    pub fn range(&mut self, path: &str, range: Range<u32>) -> lsp::Range {
        let lines = self.lines(path);
        lsp::Range { start: place(lines.position(range.start)), end: place(lines.position(range.end)) }
    }

    pub fn offset(&mut self, path: &str, at: lsp::Position) -> u32 {
        self.lines(path).offset(position(at))
    }

    pub fn bytes(&mut self, path: &str, range: lsp::Range) -> Range<u32> {
        self.offset(path, range.start)..self.offset(path, range.end)
    }

    pub fn location(&mut self, at: &FileRange) -> lsp::Location {
        let range = self.range(&at.file, at.lo..at.hi);
        lsp::Location { uri: lsp::Uri(self.world.uri(&at.file)), range }
    }
}

// ---- diagnostics

/// Returns the diagnostics of all open documents, and of all files of their programs that have some.
pub fn of_files(world: &Snapshot, client: &Client) -> Vec<OfFile> {
    let mut out = Vec::new();
    let mut places = Places::new(world);
    for path in world.paths() {
        let diagnostics = diagnostics(world, client, &path, &mut places);
        if !diagnostics.is_empty() || world.version(&path).is_some() {
            out.push(OfFile { uri: world.uri(&path), version: world.version(&path), path, diagnostics });
        }
    }
    out
}

pub fn diagnostics(world: &Snapshot, client: &Client, path: &str, places: &mut Places) -> Vec<lsp::Diagnostic> {
    let messages = features::messages(world, path);
    let mut out: Vec<lsp::Diagnostic> = messages.iter().map(|rendered| diagnostic(rendered, client, places)).collect();
    let about = |severity, code: &str, message: String| lsp::Diagnostic {
        range: lsp::Range::default(),
        severity: Some(severity),
        code: Some(lsp::Code::String(code.into())),
        source: Some(SOURCE.into()),
        message: lsp::Message::String(message),
        ..lsp::Diagnostic::default()
    };
    if let Some(large) = world.large(path) {
        let message = format!(
            "{large} exceeds the limits of the language server (programs of {} tokens in files of {} MiB); `wgc check` has no such limits",
            grouped(MAX_TOKENS as u64),
            MAX_BYTES >> 20
        );
        out.push(about(lsp::DiagnosticSeverity::Information, "large", message));
    }
    out.extend(
        world.troubles(path).into_iter().map(|trouble| about(lsp::DiagnosticSeverity::Error, "project", trouble)),
    );
    if client.tags {
        out.extend(features::inactive(world, path).into_iter().map(|range| lsp::Diagnostic {
            range: places.range(path, range),
            severity: Some(lsp::DiagnosticSeverity::Hint),
            code: Some(lsp::Code::String("inactive".into())),
            source: Some(SOURCE.into()),
            message: lsp::Message::String("inactive: excluded by preprocessor conditions".into()),
            tags: Some(vec![lsp::DiagnosticTag::Unnecessary]),
            ..lsp::Diagnostic::default()
        }));
    }
    out
}

const SOURCE: &str = "wgc";

pub fn diagnostic(rendered: &Rendered, client: &Client, places: &mut Places) -> lsp::Diagnostic {
    let mut message = rendered.message.clone();
    let mut range = lsp::Range::default();
    let mut related = Vec::new();
    let mut relate = |places: &mut Places, at: &FileRange, message: String| {
        related.push(lsp::DiagnosticRelatedInformation { location: places.location(at), message });
    };
    for (n, label) in rendered.labels.iter().enumerate() {
        if n == 0 {
            range = places.range(&label.range.file, label.range.lo..label.range.hi);
            if !label.message.is_empty() {
                message += &format!("\n{}", label.message);
            }
        } else {
            relate(places, &label.range, label.message.clone());
        }
        for (name, at) in label.written_elsewhere() {
            relate(places, at, format!("in the expansion of `{name}`"));
        }
    }
    for note in &rendered.notes {
        message += &format!("\nnote: {note}");
    }
    if !client.relates {
        for other in &related {
            message += &format!(
                "\n{}:{}: {}",
                path_of(&other.location.uri.0),
                other.location.range.start.line + 1,
                other.message
            );
        }
        related.clear();
    }
    let page = client.links_codes.then(|| builtins::page_of(rendered.code)).flatten();
    lsp::Diagnostic {
        range,
        severity: Some(match rendered.severity {
            Severity::Error => lsp::DiagnosticSeverity::Error,
            Severity::Warning => lsp::DiagnosticSeverity::Warning,
            Severity::Hint => lsp::DiagnosticSeverity::Hint,
        }),
        code: Some(lsp::Code::String(rendered.code.to_string())),
        code_description: page.map(|path| lsp::CodeDescription { href: lsp::Uri(uri_of(&path)) }),
        source: Some(SOURCE.into()),
        message: lsp::Message::String(message),
        related_information: (!related.is_empty()).then_some(related),
        ..lsp::Diagnostic::default()
    }
}

/// Returns the code action for the fix of one diagnostic.
pub fn quick_fix(rendered: &Rendered, client: &Client, places: &mut Places) -> Option<lsp::CodeAction> {
    let fix = rendered.fix.as_ref()?;
    Some(lsp::CodeAction {
        title: fix.message.clone(),
        kind: Some(lsp::CodeActionKind::QuickFix),
        diagnostics: Some(vec![diagnostic(rendered, client, places)]),
        is_preferred: Some(features::is_certain(places.world, rendered)),
        edit: Some(fixes(std::slice::from_ref(rendered), client, places)),
        ..lsp::CodeAction::default()
    })
}

/// Returns the code action that applies the fixes of several diagnostics.
pub fn fix_all(all: &[Rendered], client: &Client, places: &mut Places) -> lsp::CodeAction {
    lsp::CodeAction {
        title: "apply all certain fixes of this file".into(),
        kind: Some(lsp::CodeActionKind::Custom(FIX_ALL.into())),
        edit: Some(fixes(all, client, places)),
        ..lsp::CodeAction::default()
    }
}

fn fixes(all: &[Rendered], client: &Client, places: &mut Places) -> lsp::WorkspaceEdit {
    let fixes = all.iter().filter_map(|rendered| rendered.fix.as_ref());
    workspace_edit(fixes.map(|fix| (&fix.range, fix.replacement.clone())), client, places)
}

/// Returns an edit that replaces ranges. Includes document versions if supported, so that the client can refuse stale
/// edits.
pub fn workspace_edit<'a>(
    edits: impl Iterator<Item = (&'a FileRange, String)>,
    client: &Client,
    places: &mut Places,
) -> lsp::WorkspaceEdit {
    let mut of: IndexMap<lsp::Uri, (Option<i32>, Vec<lsp::TextEdit>)> = IndexMap::new();
    for (at, new_text) in edits {
        let lsp::Location { uri, range } = places.location(at);
        let document = of.entry(uri).or_insert_with(|| (places.world.version(&at.file), Vec::new()));
        document.1.push(lsp::TextEdit { range, new_text });
    }
    if !client.versions {
        let changes = of.into_iter().map(|(uri, (_, edits))| (uri, edits)).collect();
        return lsp::WorkspaceEdit { changes: Some(changes), ..lsp::WorkspaceEdit::default() };
    }
    let change = |(uri, (version, edits)): (lsp::Uri, (Option<i32>, Vec<lsp::TextEdit>))| {
        let text_document_identifier = lsp::TextDocumentIdentifier { uri };
        let text_document = lsp::OptionalVersionedTextDocumentIdentifier { version, text_document_identifier };
        let edits = edits.into_iter().map(lsp::Edit::TextEdit).collect();
        lsp::DocumentChange::TextDocumentEdit(lsp::TextDocumentEdit { text_document, edits })
    };
    lsp::WorkspaceEdit { document_changes: Some(of.into_iter().map(change).collect()), ..lsp::WorkspaceEdit::default() }
}

// ---- symbols

pub fn symbol_kind(kind: OutlineKind) -> lsp::SymbolKind {
    match kind {
        // A node reacts to records like to events.
        OutlineKind::Node => lsp::SymbolKind::Event,
        OutlineKind::Function => lsp::SymbolKind::Function,
        OutlineKind::Method => lsp::SymbolKind::Method,
        OutlineKind::Struct => lsp::SymbolKind::Struct,
        OutlineKind::Interface => lsp::SymbolKind::Interface,
        OutlineKind::Enum => lsp::SymbolKind::Enum,
        OutlineKind::EnumValue => lsp::SymbolKind::EnumMember,
        OutlineKind::Field => lsp::SymbolKind::Field,
        OutlineKind::Variable => lsp::SymbolKind::Variable,
        OutlineKind::ConstantBuffer | OutlineKind::Namespace => lsp::SymbolKind::Namespace,
        OutlineKind::Alias => lsp::SymbolKind::Class,
    }
}

/// The limit of nesting in answers. They are serialized on a small stack, and few clients read deeper ones.
pub const MAX_NESTED: usize = 48;

/// Returns the symbols of a document: as a tree, or flat if the client does not support trees.
pub fn symbols(all: &[Symbol], client: &Client, places: &mut Places) -> Value {
    if client.nests {
        return json!(all.iter().map(|symbol| nested(symbol, MAX_NESTED, places)).collect::<Vec<_>>());
    }
    let mut flat = Vec::new();
    fn add(symbol: &Symbol, around: Option<&str>, places: &mut Places, flat: &mut Vec<Value>) {
        let location = places.location(&symbol.name_range);
        flat.push(json!({
            "name": symbol.name, "kind": symbol_kind(symbol.kind), "location": location, "containerName": around,
        }));
        symbol.children.iter().for_each(|child| add(child, Some(&symbol.name), places, flat));
    }
    for symbol in all {
        let scope = Some(symbol.scope.as_str()).filter(|scope| !scope.is_empty());
        add(symbol, scope, places, &mut flat);
    }
    Value::Array(flat)
}

#[allow(deprecated, reason = "a field of the protocol that is not used any more must still be named")]
fn nested(symbol: &Symbol, left: usize, places: &mut Places) -> lsp::DocumentSymbol {
    let mut of = |range: &FileRange| places.range(&range.file, range.lo..range.hi);
    let (range, selection_range) = (of(&symbol.range), of(&symbol.name_range));
    let children = symbol.children.iter().filter(|_| left > 1);
    let children: Vec<lsp::DocumentSymbol> = children.map(|child| nested(child, left - 1, places)).collect();
    lsp::DocumentSymbol {
        name: symbol.name.clone(),
        detail: None,
        kind: symbol_kind(symbol.kind),
        tags: None,
        deprecated: None,
        range,
        selection_range,
        children: (!children.is_empty()).then_some(children),
    }
}
