// The extension with its client library, in the editor of `editor.js`, against the real server.
'use strict';

const assert = require('assert');
const fs = require('fs');
const Module = require('module');
const path = require('path');
const { api, state, user, until } = require('./editor');

const GRAPH = `struct R { uint n; };
RWStructuredBuffer<uint> Out : register(u0);

[Shader("node")] [NodeLaunch("thread")] [NodeIsProgramEntry]
void first(ThreadNodeInputRecord<R> input, [MaxRecords(1)] NodeOutput<R> second,
           [MaxRecords(2)] [NodeID("leaves")] [NodeArraySize(2)] NodeOutputArray<R> others)
{
    second.GetThreadNodeOutputRecords(1).OutputComplete();
    others[input.Get().n].GetThreadNodeOutputRecords(1).OutputComplete();
}

[Shader("node")] [NodeLaunch("thread")]
void second(ThreadNodeInputRecord<R> input)
{
    Ouch[0] = input.Get().n;
}

[Shader("node")] [NodeLaunch("thread")] [NodeID("leaves", 0)]
void leaf(ThreadNodeInputRecord<R> input) { Out[1] = input.Get().n; }

[Shader("node")] [NodeLaunch("thread")] [NodeID("leaves", 1)]
void other_leaf(ThreadNodeInputRecord<R> input) { Out[2] = input.Get().n; }
`;

/** `extension`: the folder that the .vsix has; `wgc`: the program. */
module.exports = async function client(extension, wgc, folder) {
  const resolve = Module._resolveFilename;
  Module._resolveFilename = (name, ...rest) => (name === 'vscode' ? name : resolve.call(Module, name, ...rest));
  require.cache.vscode = Object.assign(new Module('vscode'), { exports: api, loaded: true });

  const manifest = JSON.parse(fs.readFileSync(path.join(extension, 'package.json'), 'utf8'));
  const settings = Object.entries(manifest.contributes.configuration.properties);
  settings.forEach(([key, about]) => (state.settings[key] = about.default));
  state.settings['wgc.path'] = path.join(folder, 'no such program');
  const { activate, deactivate } = require(path.join(extension, manifest.main));
  const context = { extensionUri: api.Uri.file(extension), subscriptions: [] };

  // A wrong path is reported, and the setting fixes it.
  await activate(context);
  assert.ok(state.messages.some((message) => message.includes('does not start')), state.messages.join());
  manifest.contributes.commands.forEach(({ command }) => assert.ok(state.commands.has(command), command));
  state.messages.length = 0;
  const file = path.join(folder, 'a graph.hlsl');
  fs.writeFileSync(file, GRAPH);
  const document = user.open(file, 'hlsl');
  const uri = document.uri.toString();
  user.set('wgc.path', wgc);
  const diagnostics = () => state.diagnostics.wgc?.get(uri);

  // A mistake is reported, and no longer after it is corrected.
  const [wrong] = await until('opening', () => diagnostics()?.length && diagnostics());
  assert.strictEqual(document.getText(wrong.range), 'Ouch');
  assert.strictEqual(wrong.severity, api.DiagnosticSeverity.Error);
  assert.match(String(wrong.code.value ?? wrong.code), /^WG\d{4}$/);
  assert.strictEqual(wrong.source, 'wgc');
  user.replace(document, 'Ouch', 'Out');
  await until('the edit', () => diagnostics().length === 0);

  // The definitions of an output's nodes, and the hover of a node.
  const token = new api.CancellationTokenSource().token;
  const at = document.find('NodeID("leaves")]', 10);
  const found = await state.providers.Definition.provideDefinition(document, at, token);
  const names = [found].flat().map((one) => document.getText(one.range ?? one.targetSelectionRange));
  assert.deepStrictEqual(names, ['leaf', 'other_leaf']);
  const hover = await state.providers.Hover.provideHover(document, document.find('void first', 6), token);
  const text = [hover.contents].flat().map((one) => one.value ?? one).join('');
  assert.ok(text.includes('thread node, entry') && text.includes('3 of 8 records'), text);
  const lenses = await state.providers.CodeLens.provideCodeLenses(document, token);
  assert.strictEqual(lenses.length, 4);
  const completion = await state.providers.CompletionItem.provideCompletionItems(document, document.find('input.Get', 6), token, {
    triggerKind: api.CompletionTriggerKind.Invoke,
  });
  assert.ok((completion.items ?? completion).some((one) => (one.label.label ?? one.label) === 'Get'), JSON.stringify(completion));
  const symbols = await state.providers.DocumentSymbol.provideDocumentSymbols(document, token);
  assert.ok(symbols.some((one) => one.name === 'other_leaf'));

  await graph(document, extension);

  // Settings reach the server while it runs.
  user.replace(document, 'uint n;', 'N n;');
  await until('a name that nobody declares', () => diagnostics().length > 0);
  user.set('wgc.arguments', ['-D', 'N=uint']);
  await until('the setting', () => diagnostics().length === 0);

  // So do the switches of hints, one by one: the bytes of the record, and the binding of the buffer.
  const all = new api.Range(0, 0, document.text.split('\n').length, 0);
  const hints = async () => {
    const found = await state.providers.InlayHints.provideInlayHints(document, all, token);
    return found.map((one) => [one.label].flat().map((part) => part.value ?? part).join(''));
  };
  assert.deepStrictEqual(await hints(), ['4 bytes', 'binding 0, set 0']);
  user.set('wgc.inlayHints.bindings', false);
  await until('a switch', async () => (await hints()).join() === '4 bytes');
  user.set('wgc.inlayHints.records', false);
  await until('another switch', async () => (await hints()).length === 0);

  // After a restart, it reports the same.
  user.replace(document, 'Out[1]', 'Ouch[1]');
  await until('another mistake', () => diagnostics().length > 0);
  await api.commands.executeCommand('wgc.restart');
  await until('the new server', () => diagnostics()?.length > 0);
  user.close(document);
  await until('closing', () => diagnostics().length === 0);
  assert.deepStrictEqual(state.messages, []);
  await deactivate();
  context.subscriptions.forEach((one) => one.dispose());
};

/** The view of the graph. */
async function graph(document, extension) {
  await api.commands.executeCommand('wgc.showGraph');
  const [panel] = state.panels;
  const html = panel.webview.html;
  // Nothing from other sources, and only styles and scripts with the nonce of this page.
  const policy = /content="default-src 'none'; style-src 'nonce-([^']+)'; script-src 'nonce-([^']+)';"/.exec(html);
  assert.ok(policy && policy[1] === policy[2], html);
  const tags = html.match(/<(?:script|style)\b[^>]*>/g);
  assert.strictEqual(tags.length, 3);
  tags.forEach((tag) => assert.ok(tag.includes(`nonce="${policy[1]}"`), tag));
  const script = /<script [^>]*src="file:\/\/([^"]+)"/.exec(html)[1];
  assert.ok(script.startsWith(extension), script);
  assert.ok(fs.existsSync(decodeURIComponent(script)), script);

  const last = (kind, wanted) => () => panel.posted.filter((one) => one.kind === kind).reverse().find(wanted);
  panel.receive({ kind: 'ready' });
  const first = await until('the graph', last('graph', ({ svg }) => svg.includes('data-node="3"')));
  assert.deepStrictEqual([first.programs, first.program], [['a graph.hlsl'], 'a graph.hlsl']);
  assert.ok(first.style.includes('.wgc-graph') && !first.svg.includes(' error"'), first.svg);

  require('./page')(extension, first);

  // It follows the text: a missing target, and a mistake in a node.
  user.replace(document, 'void second', 'void third');
  const second = await until('the edit in the graph', last('graph', ({ svg }) => svg.includes('does not exist')));
  assert.match(second.svg, /class="node thread entry error" data-node="0"/);
  user.replace(document, 'void third', 'void second');
  await until('the edit back', () => !panel.posted.filter((one) => one.kind === 'graph').pop().svg.includes('does not exist'));

  // The node at the cursor, and back from a click.
  user.moveTo(document.find('Out[1]'));
  await until('the cursor', last('current', ({ node }) => node === 2));
  user.moveTo(document.find('struct R'));
  await until('no node', () => panel.posted.filter((one) => one.kind === 'current').pop().node === -1);
  panel.receive({ kind: 'jump', node: 3 });
  const shown = await until('the click', () => state.shown);
  assert.strictEqual(shown.document, document);
  assert.strictEqual(document.getText(shown.options.selection), 'other_leaf');
  // Messages that a page makes up have no effect.
  panel.receive({ kind: 'jump', node: 'x' });
  panel.receive({ kind: 'nonsense' });
}
