// The graph view: a panel that shows the server's drawing (`wgc/graph`), again whenever the graph may have changed.
'use strict';

const vscode = require('vscode');
const { randomBytes } = require('crypto');

/** Milliseconds: while somebody types fast, the graph is not drawn for each letter. */
const REST = 100;

class GraphView {
  constructor(extension, languages) {
    this.extension = extension;
    this.languages = languages;
    this.client = undefined;
    this.panel = undefined;
    /** The document and the program whose graph is shown. */
    this.document = undefined;
    this.program = undefined;
    /** The last answer. */
    this.graph = undefined;
    this.timer = undefined;
    /** Counts requests: only the answer to the last one is shown. */
    this.asked = 0;
    this.listeners = [
      vscode.window.onDidChangeActiveTextEditor((editor) => this.follow(editor)),
      vscode.window.onDidChangeTextEditorSelection((event) => this.select(event.textEditor)),
    ];
  }

  dispose() {
    clearTimeout(this.timer);
    this.listeners.forEach((listener) => listener.dispose());
    this.panel?.dispose();
  }

  /** Sets the server to ask, or none. */
  serve(client) {
    this.client = client;
  }

  /** Shows the graph of the document that has the cursor. */
  show() {
    const editor = vscode.window.activeTextEditor;
    if (!this.isOurs(editor?.document)) {
      return vscode.window.showInformationMessage('wgc: open a shader, then its graph can be shown');
    }
    this.document = editor.document.uri;
    this.program = undefined;
    if (this.panel) {
      this.panel.reveal(undefined, true);
    } else {
      this.open();
    }
    return this.refresh();
  }

  isOurs(document) {
    return document !== undefined && this.languages.includes(document.languageId);
  }

  open() {
    const column = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    const media = vscode.Uri.joinPath(this.extension, 'media');
    const options = { enableScripts: true, localResourceRoots: [media] };
    this.panel = vscode.window.createWebviewPanel('wgc.graph', 'Graph', column, options);
    const view = this.panel.webview;
    view.onDidReceiveMessage((message) => this.receive(message));
    this.panel.onDidChangeViewState(() => this.changed());
    this.panel.onDidDispose(() => {
      this.panel = undefined;
      this.graph = undefined;
    });
    view.html = page(view.asWebviewUri(vscode.Uri.joinPath(media, 'graph.js')), randomBytes(16).toString('base64'));
  }

  receive(message) {
    switch (message.kind) {
      // The page is empty at the start, also after it was hidden.
      case 'ready':
        return this.graph ? this.send() : this.refresh();
      case 'jump':
        return this.jump(message.node);
      case 'program':
        this.program = String(message.name);
        return this.refresh();
    }
  }

  /** Follows the active editor to its graph. */
  follow(editor) {
    if (!this.panel || !this.isOurs(editor?.document)) {
      return;
    }
    if (editor.document.uri.toString() !== this.document?.toString()) {
      this.document = editor.document.uri;
      this.program = undefined;
      this.changed();
    }
    this.select(editor);
  }

  /** Called when the graph may have changed. */
  changed() {
    clearTimeout(this.timer);
    if (this.panel?.visible) {
      this.timer = setTimeout(() => this.refresh(), REST);
    }
  }

  async refresh() {
    if (!this.panel || !this.client || !this.document) {
      return;
    }
    this.asked += 1;
    const number = this.asked;
    const params = { textDocument: { uri: this.client.code2ProtocolConverter.asUri(this.document) }, program: this.program };
    let graph;
    try {
      graph = await this.client.sendRequest('wgc/graph', params);
    } catch {
      // The text changed in the meantime, or the server stopped. The next change, or the new server, causes a new request.
      return;
    }
    if (number === this.asked && this.panel) {
      this.graph = graph ?? { svg: '', style: '', nodes: [], edges: [], programs: [], program: '' };
      this.send();
    }
  }

  send() {
    const { svg, style, programs, program } = this.graph;
    this.panel.title = program ? `Graph of ${program}` : 'Graph';
    this.panel.webview.postMessage({ kind: 'graph', svg, style, programs, program });
    this.select(vscode.window.activeTextEditor);
  }

  /** Marks the node that the cursor is in. */
  select(editor) {
    if (!this.panel || !this.graph || !this.isOurs(editor?.document)) {
      return;
    }
    const at = editor.selection.active;
    const uri = editor.document.uri.toString();
    const node = this.graph.nodes.findIndex((node) => node.ranges.some((range) => holds(range, uri, at)));
    this.panel.webview.postMessage({ kind: 'current', node });
  }

  /** Puts the cursor where a node is declared. */
  async jump(number) {
    const location = this.graph?.nodes[number]?.location;
    if (!location) {
      return;
    }
    const { start, end } = location.range;
    const selection = new vscode.Range(start.line, start.character, end.line, end.character);
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(location.uri));
    const column = vscode.window.visibleTextEditors.find((editor) => editor.document === document)?.viewColumn;
    const viewColumn = column ?? vscode.ViewColumn.One;
    await vscode.window.showTextDocument(document, { selection, viewColumn });
  }
}

/** Returns true if a range of the protocol contains a position. */
function holds({ uri, range }, document, at) {
  const before = (a, b) => a.line < b.line || (a.line === b.line && a.character <= b.character);
  return vscode.Uri.parse(uri).toString() === document && before(range.start, at) && before(at, range.end);
}

/** Only our own script and our own style are allowed: the server's drawing contains neither. */
function page(script, nonce) {
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}';`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="UTF-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>Graph</title>
<style nonce="${nonce}">
  body { margin: 0; padding: 0; }
  header { position: sticky; top: 0; padding: 4px 16px; background: var(--vscode-editor-background); }
  #nothing { padding: 16px; }
  [hidden] { display: none; }
</style>
<style nonce="${nonce}" id="style"></style>
</head>
<body>
<header hidden><select id="programs" aria-label="Program"></select></header>
<main id="picture"></main>
<p id="nothing" hidden>This file has no nodes.</p>
<script nonce="${nonce}" src="${script}"></script>
</body>
</html>`;
}

module.exports = { GraphView };
