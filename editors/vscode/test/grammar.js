// The grammars, with the library that VS Code colours texts with: some words and their scopes.
'use strict';

const assert = require('assert');
const fs = require('fs');
const path = require('path');
const oniguruma = require('vscode-oniguruma');
const textmate = require('vscode-textmate');

/** Lines, and for words in them the scope that is tested. */
const HLSL = [
  ['#include "some.hlsli" // all', { '#include': 'keyword.control.directive', 'some.hlsli': 'string.quoted.double.include', '// all': 'comment.line' }],
  ['#define COUNT 4u', { COUNT: 'entity.name.function.preprocessor', '4u': 'constant.numeric.integer' }],
  ['#if defined(A) && \\', { '#if': 'keyword.control.directive', defined: 'keyword.control.directive' }],
  ['    B', { B: 'meta.preprocessor' }],
  ['[Shader("node")] [nodelaunch("thread")]', { Shader: 'entity.other.attribute-name.node', node: 'constant.language.launch', nodelaunch: 'entity.other.attribute-name.node', thread: 'constant.language.launch' }],
  ['[NodeID("leaves", 1)] [NumThreads(COUNT, 1, 1)]', { leaves: 'string.quoted.double', 1: 'constant.numeric.integer', COUNT: 'variable.other' }],
  ['void first(RWDispatchNodeInputRecord<R> input, [MaxRecords(4)] NodeOutputArray<R> others,', { void: 'storage.type', first: 'entity.name.function', RWDispatchNodeInputRecord: 'support.type.node', MaxRecords: 'entity.other.attribute-name.node', NodeOutputArray: 'support.type.node' }],
  ['           uint3 id : SV_DispatchThreadID)', { uint3: 'storage.type.numeric', SV_DispatchThreadID: 'support.variable.semantic' }],
  ['{', {}],
  ['    float4x4 m = 1.5e-3f * values[i];', { float4x4: 'storage.type.numeric', '1.5e-3f': 'constant.numeric.float', values: 'source.hlsl' }],
  ['    [unroll] for (uint i = 0; i < 0x10; ++i) out.OutputComplete();', { unroll: 'entity.other.attribute-name', for: 'keyword.control', '0x10': 'constant.numeric.hex', OutputComplete: 'support.function.node' }],
  ['    /* two', { '/* two': 'comment.block' }],
  ['       lines */ return;', { lines: 'comment.block', return: 'keyword.control' }],
  ['}', {}],
  ['[[vk::binding(3, 1)]] RWStructuredBuffer<uint64_t> Out : register(u0, space1);', { vk: 'entity.name.namespace', binding: 'entity.other.attribute-name', 3: 'constant.numeric', RWStructuredBuffer: 'support.type.resource', uint64_t: 'storage.type.numeric', register: 'keyword.other.register', u0: 'constant.other.register', space1: 'constant.other.register' }],
  ['groupshared min16float2 shared_things[4];', { groupshared: 'storage.modifier', min16float2: 'storage.type.numeric', shared_things: 'source.hlsl' }],
  ['struct Record { uint n; };', { struct: 'storage.type', Record: 'entity.name.type', uint: 'storage.type.numeric' }],
  ['static const string s = "a \\" b"; bool b = true;', { const: 'storage.modifier', '\\"': 'constant.character.escape', true: 'constant.language' }],
  ['"not closed', { 'not closed': 'string.quoted.double' }],
  ['uint after;', { uint: 'storage.type.numeric' }],
];

const SLANG = [
  ['import graph;', { import: 'keyword.control.import' }],
  ['public func add<T : IArithmetic>(T a) -> T { return a; }', { public: 'storage.modifier', func: 'storage.type', add: 'source.slang', return: 'keyword.control' }],
  ['extension float3 { property uint n; }', { extension: 'storage.type', float3: 'storage.type.numeric' }],
];

module.exports = async function check(extension) {
  await oniguruma.loadWASM(fs.readFileSync(require.resolve('vscode-oniguruma/release/onig.wasm')));
  const { grammars } = JSON.parse(fs.readFileSync(path.join(extension, 'package.json'), 'utf8')).contributes;
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async (scope) => {
      const file = path.join(extension, grammars.find((one) => one.scopeName === scope).path);
      return textmate.parseRawGrammar(fs.readFileSync(file, 'utf8'), file);
    },
  });
  for (const [scope, lines] of [['source.hlsl', HLSL], ['source.slang', SLANG]]) {
    const grammar = await registry.loadGrammar(scope);
    let state = textmate.INITIAL;
    for (const [line, words] of lines) {
      const { tokens, ruleStack } = grammar.tokenizeLine(line, state);
      state = ruleStack;
      for (const [word, wanted] of Object.entries(words)) {
        const start = line.search(new RegExp(`(?<!\\w)${word.replace(/[^\w]/g, '\\$&')}(?!\\w)`));
        const token = tokens.find((one) => one.startIndex <= start && start < one.endIndex);
        const scopes = token?.scopes ?? [];
        const is = wanted === scope ? scopes.length === 1 : scopes.some((one) => one.startsWith(wanted));
        assert.ok(is, `${word} in \`${line}\` is ${scopes.join(' ')}, not ${wanted}`);
      }
    }
  }
  // Every pattern compiles: this also tries those that no line above reaches.
  for (const { path: file } of grammars) {
    const raw = fs.readFileSync(path.join(extension, file), 'utf8');
    JSON.parse(raw, (key, value) => {
      if (['match', 'begin', 'end'].includes(key)) {
        new oniguruma.OnigScanner([value]).findNextMatchSync('x', 0);
      }
      return value;
    });
  }
};
