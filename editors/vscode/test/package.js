// The .vsix: all parts that VS Code reads are there, and so are the files that they name.
'use strict';

const assert = require('assert');
const fs = require('fs');
const path = require('path');
const { crc32, unzip } = require('../zip');

/** Unpacks an archive; the folder of the extension. */
module.exports = function check(archive, to) {
  // The standard check value of this checksum.
  assert.strictEqual(crc32(Buffer.from('123456789')), 0xcbf43926);
  const files = unzip(fs.readFileSync(archive));
  for (const [name, bytes] of files) {
    assert.ok(!name.includes('..') && !name.startsWith('/'), name);
    const file = path.join(to, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, bytes);
  }
  const described = files.get('extension.vsixmanifest').toString();
  const manifest = JSON.parse(files.get('extension/package.json'));
  assert.ok(described.includes(`Id="${manifest.name}" Version="${manifest.version}" Publisher="${manifest.publisher}"`), described);
  for (const [, asset] of described.matchAll(/<Asset [^>]*Path="([^"]+)"/g)) {
    assert.ok(files.has(asset), asset);
  }
  // Each file has a type.
  const types = files.get('[Content_Types].xml').toString();
  for (const name of files.keys()) {
    const extension = path.posix.extname(name).toLowerCase();
    const is = extension ? `Extension="${extension}"` : `PartName="/${name}"`;
    assert.ok(name === '[Content_Types].xml' || types.includes(is), name);
  }
  // All things that the manifest names are there.
  const { grammars, languages, menus, commands } = manifest.contributes;
  const named = [manifest.main, ...grammars.map((one) => one.path), ...languages.map((one) => one.configuration)];
  for (const name of named) {
    assert.ok(files.has(path.posix.join('extension', name)), name);
  }
  const known = commands.map(({ command }) => command);
  Object.values(menus).flat().forEach(({ command }) => assert.ok(known.includes(command), command));
  languages.forEach(({ configuration }) => JSON.parse(files.get(path.posix.join('extension', configuration))));
  // Nothing that only tests need.
  assert.ok(![...files.keys()].some((name) => /textmate|oniguruma|\.d\.ts$|\.map$/.test(name)));
  assert.ok(files.has('extension/LICENSE-MIT') && files.has('extension/node_modules/vscode-languageclient/License.txt'));
  return path.join(to, 'extension');
};
