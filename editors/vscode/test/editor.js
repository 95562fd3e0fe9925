// A minimal editor with the interface of the module `vscode`. It has the calls that the extension and the client library
// make, and keeps everything that they show, for tests to look at. Documents are texts in memory.
'use strict';

const fs = require('fs');
const { EventEmitter: Emitter } = require('events');

// ---- values

/** Returns a class whose objects keep their constructor arguments. */
function kept(name, ...fields) {
  const made = {
    [name]: class {
      constructor(...values) {
        fields.forEach((field, n) => (this[field] = values[n]));
      }
    },
  };
  return made[name];
}

class Position {
  constructor(line, character) {
    this.line = line;
    this.character = character;
  }
}

class Range {
  constructor(a, b, c, d) {
    this.start = a instanceof Position ? a : new Position(a, b);
    this.end = a instanceof Position ? b : new Position(c, d);
  }
}

class Selection extends Range {
  get active() {
    return this.end;
  }
}

class Uri {
  constructor(scheme, path) {
    this.scheme = scheme;
    this.path = path;
    this.authority = '';
    this.query = '';
    this.fragment = '';
  }
  static file(path) {
    return new Uri('file', path);
  }
  static parse(text) {
    const [, scheme, path] = /^([a-z-]+):(?:\/\/)?(.*)$/.exec(text);
    return new Uri(scheme, decodeURIComponent(path));
  }
  static joinPath(base, ...parts) {
    return new Uri(base.scheme, [base.path, ...parts].join('/'));
  }
  get fsPath() {
    return this.path;
  }
  toString() {
    const path = this.path.split('/').map(encodeURIComponent).join('/');
    return this.scheme === 'file' ? `file://${path}` : `${this.scheme}:${path}`;
  }
}

class Disposable {
  constructor(action) {
    this.action = action;
  }
  static from(...all) {
    return new Disposable(() => all.forEach((one) => one.dispose()));
  }
  dispose() {
    this.action?.();
    this.action = undefined;
  }
}

class EventEmitter {
  constructor() {
    this.emitter = new Emitter();
    this.event = (listener, self, disposables) => {
      const bound = self === undefined ? listener : listener.bind(self);
      this.emitter.on('event', bound);
      const disposable = new Disposable(() => this.emitter.off('event', bound));
      disposables?.push(disposable);
      return disposable;
    };
  }
  fire(value) {
    this.emitter.emit('event', value);
  }
  dispose() {
    this.emitter.removeAllListeners();
  }
}

class CancellationTokenSource {
  constructor() {
    this.emitter = new EventEmitter();
    this.token = { isCancellationRequested: false, onCancellationRequested: this.emitter.event };
  }
  cancel() {
    this.token.isCancellationRequested = true;
    this.emitter.fire();
  }
  dispose() {}
}

class CancellationError extends Error {}

class MarkdownString {
  constructor(value = '') {
    this.value = value;
  }
  appendCodeblock(text) {
    this.value += text;
  }
}

// ---- documents

class Document {
  constructor(uri, languageId, text) {
    Object.assign(this, { uri, languageId, text, version: 1, isClosed: false, isDirty: false });
  }
  get fileName() {
    return this.uri.fsPath;
  }
  getText(range) {
    return range ? this.text.slice(this.offsetAt(range.start), this.offsetAt(range.end)) : this.text;
  }
  offsetAt({ line, character }) {
    const lines = this.text.split('\n');
    return lines.slice(0, line).reduce((sum, one) => sum + one.length + 1, 0) + character;
  }
  positionAt(offset) {
    const lines = this.text.slice(0, offset).split('\n');
    return new Position(lines.length - 1, lines[lines.length - 1].length);
  }
  /** Returns the position where a part of the text begins, plus some characters. */
  find(part, plus = 0) {
    const offset = this.text.indexOf(part);
    if (offset < 0) {
      throw new Error(`there is no ${part}`);
    }
    return this.positionAt(offset + plus);
  }
}

// ---- the editor

const events = new Map();
function emitter(name) {
  if (!events.has(name)) {
    events.set(name, new EventEmitter());
  }
  return events.get(name);
}

/** State that tests read and write. */
const state = {
  /** By key, as `wgc.path`. */
  settings: {},
  /** By the name of the method that registered them. */
  providers: {},
  /** By collection, then URI. */
  diagnostics: {},
  messages: [],
  output: [],
  panels: [],
  commands: new Map(),
  /** The last thing shown on the screen. */
  shown: undefined,
};


/** Returns an enumeration: each name with its own number. */
function numbered(...names) {
  return Object.fromEntries(names.map((name, n) => [name, n]));
}

function section(key) {
  if (key in state.settings) {
    return state.settings[key];
  }
  const inner = Object.keys(state.settings).filter((other) => other.startsWith(`${key}.`));
  if (inner.length === 0) {
    return undefined;
  }
  return Object.fromEntries(inner.map((k) => k.slice(key.length + 1).split('.')[0]).map((k) => [k, section(`${key}.${k}`)]));
}

const languages = {
  match: (selector, document) => {
    const filters = [selector].flat();
    return filters.some((one) => (one.language ?? one) === document.languageId) ? 10 : 0;
  },
  createDiagnosticCollection: (name) => {
    const all = new Map();
    state.diagnostics[name ?? ''] = all;
    const set = (uri, list) => {
      all.set(uri.toString(), list ?? []);
      emitter('diagnostics').fire();
    };
    const remove = (uri) => set(uri, []);
    return { name, set, delete: remove, clear: () => all.clear(), dispose: () => all.clear(), has: () => false, forEach() {} };
  },
};
for (const name of [
  'CallHierarchy', 'CodeActions', 'CodeLens', 'Color', 'CompletionItem', 'Declaration', 'Definition', 'DocumentFormattingEdit',
  'DocumentHighlight', 'DocumentLink', 'DocumentRangeFormattingEdit', 'DocumentRangeSemanticTokens', 'DocumentSemanticTokens',
  'DocumentSymbol', 'FoldingRange', 'Hover', 'Implementation', 'InlayHints', 'InlineCompletionItem', 'InlineValues',
  'LinkedEditingRange', 'OnTypeFormattingEdit', 'Reference', 'Rename', 'SelectionRange', 'SignatureHelp', 'TypeDefinition',
  'TypeHierarchy', 'WorkspaceSymbol',
]) {
  languages[`register${name}Provider`] = (...args) => {
    const provider = name === 'WorkspaceSymbol' ? args[0] : args[1];
    state.providers[name] = provider;
    return new Disposable(() => {
      if (state.providers[name] === provider) {
        delete state.providers[name];
      }
    });
  };
}

const say = (kind) => (message) => {
  state.messages.push(`${kind}: ${message}`);
  return Promise.resolve(undefined);
};

class Panel {
  constructor(type, title, column, options) {
    Object.assign(this, { type, title, column, options, visible: true, posted: [] });
    const received = new EventEmitter();
    this.webview = {
      html: '',
      cspSource: 'self',
      asWebviewUri: (uri) => uri.toString(),
      onDidReceiveMessage: received.event,
      postMessage: (message) => {
        // Copied, as for another process.
        this.posted.push(JSON.parse(JSON.stringify(message)));
        emitter('posted').fire();
        return Promise.resolve(true);
      },
    };
    /** As if the page sent it. */
    this.receive = (message) => received.fire(message);
    const [disposed, changed] = [new EventEmitter(), new EventEmitter()];
    this.onDidDispose = disposed.event;
    this.onDidChangeViewState = changed.event;
    this.dispose = () => disposed.fire();
    this.reveal = () => {};
  }
}

const window = {
  activeTextEditor: undefined,
  visibleTextEditors: [],
  tabGroups: { all: [], onDidChangeTabs: emitter('tabs').event, onDidChangeTabGroups: emitter('tabs').event },
  onDidChangeActiveTextEditor: emitter('active').event,
  onDidChangeTextEditorSelection: emitter('selection').event,
  onDidChangeVisibleTextEditors: emitter('visible').event,
  showErrorMessage: say('error'),
  showWarningMessage: say('warning'),
  showInformationMessage: say('information'),
  withProgress: (_, task) => task({ report() {} }, new CancellationTokenSource().token),
  createOutputChannel: () => {
    const append = (text) => state.output.push(text);
    return { append, appendLine: append, clear() {}, show() {}, dispose() {} };
  },
  createWebviewPanel: (...args) => {
    const panel = new Panel(...args);
    state.panels.push(panel);
    return panel;
  },
  showTextDocument: async (document, options) => {
    state.shown = { document, options };
    emitter('shown').fire();
    return window.activeTextEditor;
  },
};

const workspace = {
  textDocuments: [],
  notebookDocuments: [],
  workspaceFolders: undefined,
  getWorkspaceFolder: () => undefined,
  fs: { stat: async () => ({ type: 1 }) },
  getConfiguration: (prefix) => {
    const full = (key) => (prefix ? `${prefix}.${key}` : key);
    return { get: (key, otherwise) => section(full(key)) ?? otherwise, has: (key) => section(full(key)) !== undefined };
  },
  openTextDocument: async (uri) => workspace.textDocuments.find((one) => one.uri.toString() === uri.toString()),
  createFileSystemWatcher: () => ({
    onDidCreate: emitter('created').event,
    onDidChange: emitter('changed').event,
    onDidDelete: emitter('deleted').event,
    dispose() {},
  }),
  applyEdit: async () => true,
};
for (const name of [
  'ChangeConfiguration', 'ChangeNotebookDocument', 'ChangeTextDocument', 'ChangeWorkspaceFolders', 'CloseNotebookDocument',
  'CloseTextDocument', 'CreateFiles', 'DeleteFiles', 'OpenNotebookDocument', 'OpenTextDocument', 'RenameFiles',
  'SaveNotebookDocument', 'SaveTextDocument',
]) {
  workspace[`onDid${name}`] = emitter(name).event;
}
for (const name of ['CreateFiles', 'DeleteFiles', 'RenameFiles', 'SaveTextDocument']) {
  workspace[`onWill${name}`] = emitter(`Will${name}`).event;
}

const commands = {
  registerCommand: (name, action) => {
    if (state.commands.has(name)) {
      throw new Error(`command '${name}' already exists`);
    }
    state.commands.set(name, action);
    return new Disposable(() => state.commands.delete(name));
  },
  executeCommand: async (name, ...args) => state.commands.get(name)(...args),
};

class CodeActionKind {
  constructor(value) {
    this.value = value;
  }
  append(more) {
    return new CodeActionKind(this.value ? `${this.value}.${more}` : more);
  }
}
const kinds = {
  Empty: '', QuickFix: 'quickfix', Refactor: 'refactor', RefactorExtract: 'refactor.extract', RefactorInline: 'refactor.inline',
  RefactorRewrite: 'refactor.rewrite', Source: 'source', SourceOrganizeImports: 'source.organizeImports',
};
Object.entries(kinds).forEach(([name, value]) => (CodeActionKind[name] = new CodeActionKind(value)));

const api = {
  version: '1.82.0',
  Position, Range, Selection, Uri, Disposable, EventEmitter, CancellationTokenSource, CancellationError, MarkdownString,
  env: { language: 'en', appName: 'tests', openExternal: async () => true },
  languages, window, workspace, commands,
  Location: kept('Location', 'uri', 'range'),
  Diagnostic: kept('Diagnostic', 'range', 'message', 'severity'),
  DiagnosticRelatedInformation: kept('DiagnosticRelatedInformation', 'location', 'message'),
  Hover: kept('Hover', 'contents', 'range'),
  CodeAction: kept('CodeAction', 'title', 'kind'),
  CodeLens: kept('CodeLens', 'range', 'command'),
  CompletionItem: kept('CompletionItem', 'label', 'kind'),
  CompletionList: kept('CompletionList', 'items', 'isIncomplete'),
  DocumentLink: kept('DocumentLink', 'range', 'target'),
  DocumentHighlight: kept('DocumentHighlight', 'range', 'kind'),
  DocumentSymbol: kept('DocumentSymbol', 'name', 'detail', 'kind', 'range', 'selectionRange'),
  SymbolInformation: kept('SymbolInformation', 'name', 'kind', 'containerName', 'location'),
  FoldingRange: kept('FoldingRange', 'start', 'end', 'kind'),
  InlayHint: kept('InlayHint', 'position', 'label', 'kind'),
  InlayHintLabelPart: kept('InlayHintLabelPart', 'value'),
  CallHierarchyItem: kept('CallHierarchyItem', 'kind', 'name', 'detail', 'uri', 'range', 'selectionRange'),
  CallHierarchyIncomingCall: kept('CallHierarchyIncomingCall', 'from', 'fromRanges'),
  CallHierarchyOutgoingCall: kept('CallHierarchyOutgoingCall', 'to', 'fromRanges'),
  TypeHierarchyItem: kept('TypeHierarchyItem', 'kind', 'name', 'detail', 'uri', 'range', 'selectionRange'),
  SelectionRange: kept('SelectionRange', 'range', 'parent'),
  SemanticTokens: kept('SemanticTokens', 'data', 'resultId'),
  SemanticTokensLegend: kept('SemanticTokensLegend', 'tokenTypes', 'tokenModifiers'),
  SignatureHelp: kept('SignatureHelp'),
  SignatureInformation: kept('SignatureInformation', 'label', 'documentation'),
  ParameterInformation: kept('ParameterInformation', 'label', 'documentation'),
  SnippetString: kept('SnippetString', 'value'),
  TextEdit: kept('TextEdit', 'range', 'newText'),
  WorkspaceEdit: kept('WorkspaceEdit'),
  RelativePattern: kept('RelativePattern', 'base', 'pattern'),
  TabInputText: kept('TabInputText', 'uri'),
  TabInputTextDiff: kept('TabInputTextDiff', 'original', 'modified'),
  TabInputCustom: kept('TabInputCustom', 'uri'),
  CodeActionKind,
  CodeActionTriggerKind: { Invoke: 1, Automatic: 2 },
  CompletionItemKind: numbered('Text'),
  CompletionItemTag: { Deprecated: 1 },
  CompletionTriggerKind: numbered('Invoke', 'TriggerCharacter', 'TriggerForIncompleteCompletions'),
  DiagnosticSeverity: numbered('Error', 'Warning', 'Information', 'Hint'),
  DiagnosticTag: { Unnecessary: 1, Deprecated: 2 },
  DocumentHighlightKind: numbered('Text', 'Read', 'Write'),
  FileType: { File: 1, Directory: 2 },
  FoldingRangeKind: { Comment: 1, Imports: 2, Region: 3 },
  InlayHintKind: { Type: 1, Parameter: 2 },
  ProgressLocation: { Window: 10, Notification: 15 },
  SignatureHelpTriggerKind: { Invoke: 1, TriggerCharacter: 2, ContentChange: 3 },
  SymbolKind: { Property: 6, TypeParameter: 25 },
  SymbolTag: { Deprecated: 1 },
  TextDocumentSaveReason: { Manual: 1, AfterDelay: 2, FocusOut: 3 },
  ViewColumn: { Beside: -2, One: 1 },
};

// ---- actions of a user

const user = {
  /** Opens a file and makes it active. */
  open(path, languageId) {
    const document = new Document(Uri.file(path), languageId, fs.readFileSync(path, 'utf8'));
    workspace.textDocuments.push(document);
    emitter('OpenTextDocument').fire(document);
    const here = new Position(0, 0);
    const editor = { document, selection: new Selection(here, here), viewColumn: 1 };
    window.activeTextEditor = editor;
    window.visibleTextEditors = [editor];
    emitter('active').fire(editor);
    return document;
  },
  /** Replaces the first occurrence of a part of the text. */
  replace(document, part, text) {
    const range = new Range(document.find(part), document.find(part, part.length));
    const rangeOffset = document.offsetAt(range.start);
    document.text = document.text.replace(part, () => text);
    document.version += 1;
    const contentChanges = [{ range, rangeOffset, rangeLength: part.length, text }];
    emitter('ChangeTextDocument').fire({ document, contentChanges, reason: undefined });
  },
  close(document) {
    workspace.textDocuments = workspace.textDocuments.filter((one) => one !== document);
    document.isClosed = true;
    emitter('CloseTextDocument').fire(document);
  },
  moveTo(position) {
    const textEditor = window.activeTextEditor;
    textEditor.selection = new Selection(position, position);
    emitter('selection').fire({ textEditor, selections: [textEditor.selection] });
  },
  set(key, value) {
    state.settings[key] = value;
    const affectsConfiguration = (section) => key === section || key.startsWith(`${section}.`);
    emitter('ChangeConfiguration').fire({ affectsConfiguration });
  },
};

/** Waits until a condition is true. */
async function until(what, condition) {
  for (const end = Date.now() + 30000; Date.now() < end; ) {
    const value = await condition();
    if (value) {
      return value;
    }
    await new Promise((go) => setTimeout(go, 5));
  }
  throw new Error(`nothing came of ${what}; ${state.messages.join('; ')}; ${state.output.join('')}`);
}

module.exports = { api, state, user, until };
