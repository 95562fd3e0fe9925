// Makes `wgc.vsix`, with Node 18 and nothing else: `node package.js [FILE]`. A .vsix is a ZIP archive with the extension in it
// and two files that describe it. It includes the modules of package-lock.json that are not only for tests.
'use strict';

const fs = require('fs');
const path = require('path');
const { execFileSync } = require('child_process');
const { zip } = require('./zip');

const HERE = __dirname;
const ROOT = path.join(HERE, '..', '..');
const OWN = [
  'package.json',
  'extension.js',
  'graph.js',
  'language-configuration.json',
  'README.md',
  'media',
  'syntaxes',
];
/** Files of modules that nobody runs. */
const LEFT_OUT = /\.(d\.ts|d\.mts|map|tsbuildinfo|md)$|(^|\/)(test|tests|\.github|\.nyc_output)\//i;
const KEPT = /(^|\/)licen[cs]e[^/]*$/i;

function main(to) {
  const manifest = JSON.parse(fs.readFileSync(path.join(HERE, 'package.json'), 'utf8'));
  const modules = modulesOf(JSON.parse(fs.readFileSync(path.join(HERE, 'package-lock.json'), 'utf8')));
  if (modules.some((name) => !fs.existsSync(path.join(HERE, name)))) {
    console.error('package.js: the modules are not there, fetching them');
    execFileSync('npm', ['ci', '--ignore-scripts', '--omit=dev'], { cwd: HERE, stdio: 'inherit' });
  }
  const files = new Map();
  for (const name of OWN) {
    add(files, name, () => true);
  }
  for (const name of modules) {
    add(files, name, (file) => KEPT.test(file) || !LEFT_OUT.test(file.slice(name.length)));
  }
  for (const license of ['LICENSE-APACHE', 'LICENSE-MIT']) {
    files.set(license, fs.readFileSync(path.join(ROOT, license)));
  }
  const entries = [
    ['extension.vsixmanifest', Buffer.from(vsixManifest(manifest))],
    ['[Content_Types].xml', Buffer.from(contentTypes(files.keys()))],
    ...[...files].map(([name, bytes]) => [`extension/${name}`, bytes]),
  ];
  fs.writeFileSync(to, zip(entries));
  console.log(`${to}: ${entries.length} files`);
}

/** Folders of the modules that the extension needs at run time. */
function modulesOf(lock) {
  const all = Object.entries(lock.packages).filter(([name, about]) => name !== '' && !about.dev);
  return all.map(([name]) => name).sort();
}

/** A file, or all files of a folder in the order of their names; modules inside of modules are listed separately. */
function add(files, name, wanted) {
  const full = path.join(HERE, name);
  if (!fs.statSync(full).isDirectory()) {
    files.set(name, fs.readFileSync(full));
    return;
  }
  for (const entry of fs.readdirSync(full, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const inner = `${name}/${entry.name}`;
    if (entry.isDirectory() ? entry.name !== 'node_modules' : entry.isFile() && wanted(inner)) {
      add(files, inner, wanted);
    }
  }
}

function escaped(text) {
  const names = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };
  return text.replace(/[&<>"']/g, (c) => names[c]);
}

function vsixManifest(manifest) {
  const { name, version, publisher, displayName, description, categories, engines } = manifest;
  return `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id="${escaped(name)}" Version="${escaped(version)}" Publisher="${escaped(publisher)}"/>
    <DisplayName>${escaped(displayName)}</DisplayName>
    <Description xml:space="preserve">${escaped(description)}</Description>
    <Categories>${escaped(categories.join(','))}</Categories>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value="${escaped(engines.vscode)}"/>
      <Property Id="Microsoft.VisualStudio.Code.ExtensionKind" Value="workspace"/>
    </Properties>
  </Metadata>
  <Installation>
    <InstallationTarget Id="Microsoft.VisualStudio.Code"/>
  </Installation>
  <Dependencies/>
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true"/>
  </Assets>
</PackageManifest>
`;
}

/** The type of each kind of file, by its extension; files without one by their names. */
function contentTypes(names) {
  const known = { '.json': 'application/json', '.js': 'application/javascript', '.md': 'text/markdown', '.css': 'text/css' };
  const extensions = new Set(['.vsixmanifest']);
  const others = [];
  for (const name of names) {
    const extension = path.posix.extname(name).toLowerCase();
    if (extension) {
      extensions.add(extension);
    } else {
      others.push(name);
    }
  }
  const type = (extension) => known[extension] ?? (extension === '.vsixmanifest' ? 'text/xml' : 'text/plain');
  const rows = [...extensions].map((e) => `  <Default Extension="${escaped(e)}" ContentType="${type(e)}"/>`);
  rows.push(...others.map((name) => `  <Override PartName="/extension/${escaped(name)}" ContentType="text/plain"/>`));
  return `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
${rows.join('\n')}
</Types>
`;
}

main(path.resolve(process.argv[2] ?? path.join(HERE, 'wgc.vsix')));
