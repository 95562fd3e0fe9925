// The extension: starts `wgc lsp`, passes it the settings, and shows the graph next to the text.
'use strict';

const vscode = require('vscode');
const { spawn } = require('child_process');
const { LanguageClient } = require('vscode-languageclient/node');
const { GraphView } = require('./graph');

const LANGUAGES = ['hlsl', 'slang'];

/** Settings that count only at the start: a change needs a new server. */
const AT_START = ['wgc.path', 'wgc.diagnostics'];

let client;
let graph;
/** Starts and stops run one after the other. */
let turn = Promise.resolve();

/** Asks the server for a notification when graphs may have changed. */
const graphFeature = {
  fillClientCapabilities(capabilities) {
    capabilities.experimental = { ...capabilities.experimental, wgcGraph: true };
  },
  initialize() {},
  getState() {
    return { kind: 'static' };
  },
  clear() {},
  dispose() {},
};

/** Returns the server's process, once it runs. */
function launch(path) {
  return new Promise((started, failed) => {
    const cwd = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
    const server = spawn(path, ['lsp'], { cwd, stdio: 'pipe' });
    server.once('spawn', () => started(server));
    server.once('error', failed);
  });
}

function newClient() {
  const settings = vscode.workspace.getConfiguration('wgc');
  const server = () => launch(settings.get('path') || 'wgc');
  const options = {
    // No other schemes: the older version in a diff view has no files around it.
    documentSelector: LANGUAGES.flatMap((language) => ['file', 'untitled'].map((scheme) => ({ language, scheme }))),
    initializationOptions: {
      arguments: settings.get('arguments'),
      diagnostics: settings.get('diagnostics'),
      inlayHints: settings.get('inlayHints'),
    },
    diagnosticCollectionName: 'wgc',
  };
  const made = new LanguageClient('wgc', 'wgc', server, options);
  made.registerFeature(graphFeature);
  made.onNotification('wgc/graphChanged', () => graph.changed());
  return made;
}

async function start() {
  client = newClient();
  graph.serve(client);
  try {
    await client.start();
  } catch (error) {
    const path = vscode.workspace.getConfiguration('wgc').get('path');
    vscode.window.showErrorMessage(`wgc: the server \`${path} lsp\` does not start: ${error.message || error}`);
  }
}

async function stop() {
  const old = client;
  client = undefined;
  graph.serve(undefined);
  // If the server does not run, there is nothing to stop.
  await old?.dispose().catch(() => {});
}

function restart() {
  turn = turn.then(stop).then(start);
  return turn;
}

function activate(context) {
  graph = new GraphView(context.extensionUri, LANGUAGES);
  context.subscriptions.push(
    graph,
    vscode.commands.registerCommand('wgc.restart', restart),
    vscode.commands.registerCommand('wgc.showGraph', () => graph.show()),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (AT_START.some((key) => event.affectsConfiguration(key))) {
        return restart();
      }
    }),
  );
  turn = turn.then(start);
  return turn;
}

function deactivate() {
  turn = turn.then(stop);
  return turn;
}

module.exports = { activate, deactivate };
