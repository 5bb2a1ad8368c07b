// Takes pictures of the main states into artifacts/renderer/ and runs axe on them. Build first: node build.mjs
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { chromium } from 'playwright-core';
import { scenes } from './scenes.mjs';

const root = path.join(import.meta.dirname, '../../out/renderer-fixture');
const pictures = path.join(import.meta.dirname, '../../artifacts/renderer');
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; font-src 'self'; connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'";
const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

const server = http.createServer((request, answer) => {
  const name = new URL(request.url, 'http://x').pathname;
  const file = path.join(root, name === '/' ? 'index.html' : name);
  if (!file.startsWith(root) || !fs.existsSync(file)) {
    answer.writeHead(404).end();
    return;
  }
  answer.writeHead(200, {
    'content-type': types[path.extname(file)] ?? 'text/plain',
    'content-security-policy': policy,
  });
  answer.end(fs.readFileSync(file));
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const origin = `http://127.0.0.1:${server.address().port}/`;
fs.mkdirSync(pictures, { recursive: true });

const only = process.argv.slice(2);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
let problems = 0;
for (const scene of scenes) {
  if (only.length > 0 && !only.some((word) => scene.name.includes(word))) continue;
  const context = await browser.newContext({
    viewport: scene.size,
    reducedMotion: 'reduce',
    bypassCSP: false,
  });
  const page = await context.newPage();
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) console.log(`  [${scene.name}] ${message.text()}`);
  });
  page.on('pageerror', (error) => console.log(`  [${scene.name}] ${error.message}`));
  try {
    await page.goto(origin + scene.query);
    await page.waitForTimeout(400);
    await scene.act?.(page);
    await page.waitForTimeout(scene.wait ?? 250);
    await page.screenshot({ path: path.join(pictures, `${scene.name}.png`) });
    if (scene.axe !== false) {
      const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze();
      for (const violation of violations) {
        problems += 1;
        console.log(`  [${scene.name}] ${violation.id} (${violation.impact}): ${violation.help}`);
        for (const node of violation.nodes.slice(0, 4)) {
          console.log(
            `      ${node.target.join(' ')}  ${node.any[0]?.message ?? node.all[0]?.message ?? ''}`,
          );
        }
      }
    }
  } catch (error) {
    problems += 1;
    console.log(`  [${scene.name}] ${error.message.split('\n').slice(0, 6).join(' / ')}`);
  }
  await context.close();
}
await browser.close();
server.close();
console.log(`${problems} problems`);
