// All tests of the extension: `WGC=path node test/main.js`. Modules must be there (`npm ci --ignore-scripts`).
'use strict';

const assert = require('assert');
const fs = require('fs');
const os = require('os');
const path = require('path');
const { execFileSync } = require('child_process');

async function main() {
  const wgc = process.env.WGC;
  assert.ok(wgc, 'WGC says where wgc is');
  const folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'wgc-vscode-'));
  try {
    const archive = path.join(folder, 'wgc.vsix');
    execFileSync(process.execPath, [path.join(__dirname, '..', 'package.js'), archive], { stdio: 'ignore' });
    const extension = require('./package')(archive, path.join(folder, 'unpacked'));
    await require('./grammar')(extension);
    require('./matcher')(extension, wgc, folder);
    await require('./client')(extension, wgc, folder);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

main().then(
  () => {
    console.log('ok');
    process.exit(0);
  },
  (error) => {
    console.error(error);
    process.exit(1);
  },
);
