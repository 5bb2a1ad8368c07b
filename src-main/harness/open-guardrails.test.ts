import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openGuardrails } from './open-guardrails';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'guardrails-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const file = (): string => path.join(folder, 'guardrails.json');
function opened(): string {
  const found = openGuardrails({ guardrailsFile: file() });
  return found.ok ? JSON.stringify(found.value.policies) : found.error.message;
}

describe('guardrails.json on disk', () => {
  it('S1-43: a missing file is no configuration: the built-in ones look at every tool', () => {
    expect(opened()).toContain('{"guardrail":"secret_redaction","tools":["*"],"options":{}}');
    expect(openGuardrails({ guardrailsFile: null })).toMatchObject({ ok: true });
  });

  it('names file, line and remedy where it cannot be used', () => {
    writeFileSync(file(), '{"version": 1,\n "guardrails": {}}');
    expect(opened()).toBe(
      `${file()}, line 2, column 16: Guardrails: guardrails is no list. Write "guardrails": [].`,
    );
  });

  it.runIf(process.platform !== 'win32')('reads regular files only: a pipe does not hang the start', () => {
    execFileSync('mkfifo', [file()]);
    expect(opened()).toMatch(/is no regular file, so no guardrails are read from it/);
    rmSync(file());
    mkdirSync(file());
    expect(opened()).toMatch(/is no regular file/);
  });

  it.runIf(process.platform !== 'win32')('takes a link that leads nowhere for what somebody meant', () => {
    symlinkSync(path.join(folder, 'elsewhere.json'), file());
    expect(opened()).toMatch(/is a link to a file that does not exist/);
  });

  it('reads no more than it may, and only UTF-8', () => {
    writeFileSync(file(), ' '.repeat(1024 * 1024 + 1));
    expect(opened()).toMatch(/has more than 1048576 bytes/);
    writeFileSync(file(), Buffer.from([0x7b, 0xff, 0x7d]));
    expect(opened()).toMatch(/is not UTF-8 text/);
  });
});
