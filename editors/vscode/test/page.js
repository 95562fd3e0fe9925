// The page of the graph view, run as in a browser: its script, with a minimal document. The parser is
// strict, so the server's drawing must be correct XML.
'use strict';

const assert = require('assert');
const fs = require('fs');
const path = require('path');
const vm = require('vm');

class Element {
  constructor(nodeName) {
    Object.assign(this, { nodeName, attributes: {}, children: [], parentElement: null, hidden: false, listeners: {}, text: '' });
  }
  get firstElementChild() {
    return this.children[0] ?? null;
  }
  get dataset() {
    return { node: this.attributes['data-node'] };
  }
  get viewBox() {
    const [, , width, height] = (this.attributes.viewBox ?? '').split(' ').map(Number);
    return { baseVal: { width, height } };
  }
  get textContent() {
    return this.text + this.children.map((child) => child.textContent).join('');
  }
  set textContent(text) {
    this.children = [];
    this.text = text;
  }
  get classList() {
    const all = () => (this.attributes.class ?? '').split(' ').filter(Boolean);
    const set = (names) => (this.attributes.class = names.join(' '));
    const remove = (name) => set(all().filter((one) => one !== name));
    return { add: (name) => set([...all(), name]), remove, contains: (name) => all().includes(name) };
  }
  setAttribute(name, value) {
    this.attributes[name] = String(value);
  }
  append(child) {
    child.parentElement = this;
    this.children.push(child);
  }
  replaceChildren(...children) {
    this.children = [];
    children.forEach((child) => this.append(child));
  }
  /** Selectors have the forms `.class`, `[name]` and `[name="value"]`. */
  matches(selector) {
    const [, name, value] = /^\[([\w-]+)(?:="([^"]*)")?\]$/.exec(selector) ?? [];
    if (name === undefined) {
      return this.classList.contains(selector.slice(1));
    }
    return name in this.attributes && (value === undefined || this.attributes[name] === value);
  }
  querySelectorAll(selector) {
    return this.children.flatMap((child) => [...(child.matches(selector) ? [child] : []), ...child.querySelectorAll(selector)]);
  }
  querySelector(selector) {
    return this.querySelectorAll(selector)[0] ?? null;
  }
  closest(selector) {
    return this.matches(selector) ? this : (this.parentElement?.closest(selector) ?? null);
  }
  scrollIntoView() {
    this.scrolled = true;
  }
  addEventListener(kind, listener) {
    this.listeners[kind] = listener;
  }
}

/** Returns the first element of a text, or one that is called `parsererror` if the text is not XML. */
function parse(text) {
  const top = new Element('#document');
  let at = top;
  let rest = text;
  const names = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
  const plain = (words) => words.replace(/&([^;]*);?/g, (all, name) => names[name] ?? assert.fail(all));
  try {
    while (rest !== '') {
      const [tag, end, name, attributes, empty] = /^<(\/?)([\w:-]+)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>/.exec(rest) ?? [];
      if (tag === undefined) {
        const [words] = /^[^<]+/.exec(rest) ?? assert.fail(rest.slice(0, 80));
        at.text += plain(words);
        rest = rest.slice(words.length);
        continue;
      }
      rest = rest.slice(tag.length);
      if (end) {
        assert.strictEqual(at.nodeName, name);
        at = at.parentElement;
        continue;
      }
      const element = new Element(name);
      for (const [, key, value] of attributes.matchAll(/([\w:-]+)="([^"]*)"/g)) {
        assert.ok(!(key in element.attributes), `${key} twice`);
        element.setAttribute(key, plain(value));
      }
      at.append(element);
      at = empty ? at : element;
    }
    assert.strictEqual(at, top);
    assert.strictEqual(top.children.length, 1);
    return top.children[0];
  } catch (error) {
    const wrong = new Element('parsererror');
    wrong.textContent = error.message;
    return wrong;
  }
}

/** `svg` and `style`: the server's drawing of the graph in client.js. */
module.exports = function check(extension, { svg, style }) {
  const posted = [];
  const header = new Element('header');
  const parts = Object.fromEntries(['picture', 'programs', 'nothing', 'style'].map((id) => [id, new Element(id)]));
  header.append(parts.programs);
  const window = new Element('window');
  const document = {
    getElementById: (id) => parts[id],
    createElement: (name) => new Element(name),
    importNode: (node) => node,
  };
  class DOMParser {
    parseFromString(text) {
      return { documentElement: parse(text) };
    }
  }
  const host = { acquireVsCodeApi: () => ({ postMessage: (message) => posted.push({ ...message }) }), document, window, DOMParser };
  const file = path.join(extension, 'media', 'graph.js');
  vm.runInNewContext(fs.readFileSync(file, 'utf8'), host, file);
  const receive = (data) => window.listeners.message({ data });
  const { picture, programs, nothing } = parts;
  assert.deepStrictEqual(posted.splice(0), [{ kind: 'ready' }]);

  receive({ kind: 'graph', svg, style, programs: ['one'], program: 'one' });
  const drawn = picture.firstElementChild;
  assert.strictEqual(drawn?.nodeName, 'svg', parse(svg).textContent);
  assert.strictEqual(picture.querySelectorAll('[data-node]').length, 4);
  assert.ok(nothing.hidden && header.hidden && parts.style.textContent === style);
  // No script, no style, and no text in places where it would be run.
  const all = (element) => [element, ...element.children.flatMap(all)];
  for (const element of all(drawn)) {
    assert.ok(['svg', 'defs', 'marker', 'path', 'g', 'rect', 'text', 'title'].includes(element.nodeName), element.nodeName);
    assert.ok(!Object.keys(element.attributes).some((name) => /^on|style|href/.test(name)), Object.keys(element.attributes).join());
  }

  // A click anywhere in a box, and a key on it.
  const leaf = picture.querySelector('[data-node="2"]');
  picture.listeners.click({ target: leaf.querySelector('.name') });
  picture.listeners.click({ target: drawn });
  picture.listeners.keydown({ target: leaf, key: 'Enter', preventDefault() {} });
  picture.listeners.keydown({ target: leaf, key: 'a', preventDefault() {} });
  assert.deepStrictEqual(posted.splice(0), [{ kind: 'jump', node: 2 }, { kind: 'jump', node: 2 }]);

  // The frame of the node at the cursor, in the next picture too.
  receive({ kind: 'current', node: 2 });
  assert.ok(leaf.classList.contains('current') && leaf.scrolled);
  receive({ kind: 'graph', svg, style, programs: ['one', 'two <b>'], program: 'two <b>' });
  assert.strictEqual(picture.querySelectorAll('.current')[0], picture.querySelector('[data-node="2"]'));
  receive({ kind: 'current', node: -1 });
  assert.strictEqual(picture.querySelectorAll('.current').length, 0);

  // Programs to choose from.
  assert.ok(!header.hidden);
  assert.deepStrictEqual(programs.children.map((one) => [one.textContent, one.selected]), [['one', false], ['two <b>', true]]);
  programs.value = 'one';
  programs.listeners.change();
  assert.deepStrictEqual(posted.splice(0), [{ kind: 'program', name: 'one' }]);

  // The wheel.
  const width = () => Number(picture.firstElementChild.attributes.width);
  const before = width();
  window.listeners.wheel({ ctrlKey: true, deltaY: -400, preventDefault() {} });
  assert.ok(Math.abs(width() - before * Math.E) < 1);
  window.listeners.wheel({ ctrlKey: false, deltaY: -400, preventDefault: () => assert.fail('it scrolls') });

  // Nothing to show, and content that is not a picture.
  for (const none of ['', '<svg><g></svg>', '<script>alert(1)</script>']) {
    receive({ kind: 'graph', svg: none, style: '', programs: [], program: '' });
    assert.ok(!nothing.hidden && picture.children.length === 0, none);
  }
};
