import fs from 'node:fs';
import { expect, test } from 'vitest';
import { inRoot } from './paths.mjs';

const manifest = JSON.parse(fs.readFileSync(inRoot('package.json'), 'utf8'));
const packages = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });

test('S0-03: the contract of tools is used by path and released on no registry', () => {
  expect(manifest.private).toBe(true);
  expect(packages.length).toBeGreaterThan(20);
  expect(packages.filter((name) => /openworker/i.test(name))).toEqual([]);
  const door = fs.readFileSync(inRoot('src-main', 'harness', 'index.ts'), 'utf8');
  expect(/\bNativeTool\b[^;]*? from '([^']+)'/.exec(door)?.[1]).toBe('./tools');
});
