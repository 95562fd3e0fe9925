// The problem matchers, against the real output of `wgc check`.
'use strict';

const assert = require('assert');
const fs = require('fs');
const path = require('path');
const { spawnSync } = require('child_process');

const TEXT = `[Shader("node")] [NodeLaunch("thread")] [Strange]
void first([MaxRecords(1)] EmptyNodeOutput nobody)
{
    Ouch = 1;
}
`;

/** Returns the matches of a matcher in lines, as VS Code applies it: the lines of a pattern follow each other. */
function problems(patterns, text) {
  const lines = text.split(/\r?\n/);
  const found = [];
  lines.forEach((_, first) => {
    const problem = {};
    const all = patterns.every((pattern, n) => {
      const match = new RegExp(pattern.regexp).exec(lines[first + n] ?? '');
      for (const key of ['file', 'line', 'column', 'severity', 'code', 'message']) {
        if (match && pattern[key] !== undefined) {
          problem[key] = match[pattern[key]];
        }
      }
      return match !== null;
    });
    if (all) {
      found.push(problem);
    }
  });
  return found;
}

module.exports = function check(extension, wgc, folder) {
  const { problemPatterns, problemMatchers } = JSON.parse(fs.readFileSync(path.join(extension, 'package.json'), 'utf8')).contributes;
  const file = path.join(folder, 'mistakes.hlsl');
  fs.writeFileSync(file, TEXT);
  const results = {};
  for (const [name, args] of [['wgc', []], ['wgc-short', ['--message-format', 'short']]]) {
    const { stderr } = spawnSync(wgc, ['check', file, ...args], { encoding: 'utf8' });
    const matcher = problemMatchers.find((one) => one.name === name);
    const pattern = problemPatterns.find((one) => `$${one.name}` === matcher.pattern);
    const found = problems(pattern.patterns ?? [pattern], stderr);
    const shown = found.map(({ file: at, line, column, severity, code }) => {
      assert.strictEqual(at, file);
      return `${line}:${column} ${severity} ${code}`;
    });
    // Worked out manually: the attribute, the target, and the name.
    assert.deepStrictEqual(shown.sort(), ['1:42 warning WG0119', '2:44 error WG0401', '4:5 error WG0101'], `${name}\n${stderr}`);
    results[name] = found.map(({ message }) => message).sort();
    assert.ok(results[name].some((message) => message.includes('`Ouch`')), stderr);
  }
  assert.deepStrictEqual(results.wgc, results['wgc-short']);
};
