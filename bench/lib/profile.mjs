import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** esbuild writes the name of each module in front of it. */
function moduleFinder(file) {
  const starts = [];
  fs.readFileSync(file, 'utf8')
    .split('\n')
    .forEach((text, line) => {
      const name = /^(?:\s*)\/\/ (\S+\.(?:ts|js|mjs|cjs|json))$/.exec(text)?.[1];
      if (name) starts.push({ line, name });
    });
  return (line) => starts.findLast((start) => start.line <= line)?.name ?? path.basename(file);
}

function placeFinder() {
  const finders = new Map();
  return ({ functionName, url, lineNumber }) => {
    if (url === '') return functionName;
    const name = functionName || '(anonymous)';
    if (!url.startsWith('file:')) return `${name}  ${url}`;
    const file = fileURLToPath(url);
    if (!finders.has(file)) finders.set(file, moduleFinder(file));
    const at = finders.get(file)(lineNumber);
    return `${name}  ${at.replace(/^.*node_modules\//, '')}:${lineNumber + 1}`;
  };
}

/** Where a CPU profile's time went: by itself and with what it called, in milliseconds, longest first. */
export function hotSpots(file) {
  const { nodes, samples, timeDeltas } = JSON.parse(fs.readFileSync(file, 'utf8'));
  const byId = new Map(nodes.map((node) => [node.id, { ...node, self: 0, parent: null }]));
  for (const node of byId.values()) for (const child of node.children ?? []) byId.get(child).parent = node;
  samples.forEach((id, index) => {
    byId.get(id).self += timeDeltas[index] / 1000;
  });
  const placeOf = placeFinder();
  const spots = new Map();
  const spotOf = (node) => {
    const place = (node.place ??= placeOf(node.callFrame));
    if (!spots.has(place)) spots.set(place, { place, self: 0, total: 0 });
    return spots.get(place);
  };
  for (const node of byId.values()) {
    if (node.self === 0) continue;
    spotOf(node).self += node.self;
    const stack = new Set();
    for (let at = node; at !== null; at = at.parent) stack.add(spotOf(at));
    for (const spot of stack) spot.total += node.self;
  }
  return [...spots.values()];
}

/** The hot spots as text. */
export function describeProfile(file, count = 30) {
  const spots = hotSpots(file).filter(({ place }) => place !== '(root)');
  const busy = spots.filter(({ place }) => place !== '(idle)').reduce((sum, spot) => sum + spot.self, 0);
  const list = (by) =>
    [...spots]
      .sort((a, b) => b[by] - a[by])
      .slice(0, count)
      .map(({ place, [by]: ms }) => `${ms.toFixed(0).padStart(8)} ms  ${place}`);
  return [
    `${path.basename(file)}: ${busy.toFixed(0)} ms of work`,
    'By itself:',
    ...list('self'),
    'With what it called:',
    ...list('total'),
  ].join('\n');
}
