// Runs in the panel: shows the picture, and reports clicks.
'use strict';

(() => {
  const host = acquireVsCodeApi();
  const picture = document.getElementById('picture');
  const programs = document.getElementById('programs');
  const nothing = document.getElementById('nothing');
  const style = document.getElementById('style');
  let current = -1;
  /** Set with the wheel. */
  let zoom = 1;

  /** Returns the number of the box that an element is part of. */
  function nodeOf(element) {
    const box = element.closest?.('[data-node]');
    return box ? Number(box.dataset.node) : undefined;
  }

  function jump(event) {
    const node = nodeOf(event.target);
    if (node !== undefined) {
      host.postMessage({ kind: 'jump', node });
    }
  }

  function mark(scroll) {
    picture.querySelectorAll('.current').forEach((box) => box.classList.remove('current'));
    const box = picture.querySelector(`[data-node="${current}"]`);
    box?.classList.add('current');
    if (scroll) {
      box?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    }
  }

  function scale() {
    const svg = picture.firstElementChild;
    const size = svg?.viewBox?.baseVal;
    if (size) {
      svg.setAttribute('width', size.width * zoom);
      svg.setAttribute('height', size.height * zoom);
    }
  }

  function draw(message) {
    style.textContent = message.style;
    // Parsed as XML: a broken picture is rejected, not repaired into something else.
    const parsed = new DOMParser().parseFromString(message.svg || '<none/>', 'image/svg+xml').documentElement;
    const isPicture = parsed.nodeName === 'svg';
    picture.replaceChildren(...(isPicture ? [document.importNode(parsed, true)] : []));
    nothing.hidden = isPicture && picture.querySelector('[data-node]') !== null;
    const options = message.programs.map((name) => {
      const option = document.createElement('option');
      option.textContent = name;
      option.selected = name === message.program;
      return option;
    });
    programs.replaceChildren(...options);
    programs.parentElement.hidden = options.length < 2;
    scale();
    mark(false);
  }

  window.addEventListener('message', ({ data }) => {
    if (data.kind === 'graph') {
      draw(data);
    } else if (data.kind === 'current' && data.node !== current) {
      current = data.node;
      mark(true);
    }
  });
  picture.addEventListener('click', jump);
  picture.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      jump(event);
    }
  });
  window.addEventListener(
    'wheel',
    (event) => {
      if (event.ctrlKey) {
        event.preventDefault();
        zoom = Math.min(4, Math.max(0.1, zoom * Math.exp(-event.deltaY / 400)));
        scale();
      }
    },
    { passive: false },
  );
  programs.addEventListener('change', () => host.postMessage({ kind: 'program', name: programs.value }));
  host.postMessage({ kind: 'ready' });
})();
