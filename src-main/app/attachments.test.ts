import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fail, ok } from '../harness';
import { maxAttachmentBytes } from '../../src-preload/contract';
import { createPendingAttachments, mediaTypeOf } from './attachments';

const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1]);
const text = new TextEncoder().encode('hello');

describe('attached files', () => {
  it('takes the type from the bytes and believes no name and no claim', () => {
    expect(mediaTypeOf(png)).toBe('image/png');
    expect(mediaTypeOf(new TextEncoder().encode('%PDF-1.7'))).toBe('application/pdf');
    expect(mediaTypeOf(text)).toBe('text/plain');
    expect(mediaTypeOf(new Uint8Array([0xff, 0xfe, 0x00]))).toBeNull();
    expect(mediaTypeOf(new Uint8Array([0x41, 0x00]))).toBeNull();
  });

  it.each<[string, Uint8Array, RegExp]>([
    ['empty.txt', new Uint8Array(), /empty/],
    ['big.txt', new Uint8Array(maxAttachmentBytes + 1).fill(65), /at most 5\.0 MB/],
    ['program.exe', new Uint8Array([0x4d, 0x5a, 0x90, 0x00]), /neither text/],
    ['photo.jpg', png, /says it is image\/jpeg, but its content is image\/png/],
  ])('refuses %s in words', (name, bytes, words) => {
    const added = createPendingAttachments().add({ name, media_type: 'text/plain', bytes });
    expect(added.ok).toBe(false);
    if (!added.ok) expect(added.error.message).toMatch(words);
  });

  it('gives files out once, all or none', () => {
    const pending = createPendingAttachments();
    const first = pending.add({ name: 'a.txt', media_type: '', bytes: text });
    const second = pending.add({ name: '/etc/b.txt', media_type: '', bytes: text });
    if (!first.ok || !second.ok) throw new Error('not taken');
    expect(second.value.name).toBe('b.txt');
    const ids = [first.value.attachment_id, second.value.attachment_id];
    expect(pending.take([...ids, 'unknown'], ok).ok).toBe(false);
    // What is refused keeps its files.
    expect(pending.take(ids, () => fail('journal_full', 'The disk is full.')).ok).toBe(false);
    expect(pending.take(ids, ok)).toMatchObject({ ok: true, value: [{ name: 'a.txt' }, { name: 'b.txt' }] });
    expect(pending.take(ids, ok).ok).toBe(false);
  });

  it('reads picked files within the same bounds, and no folder', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'attach-'));
    writeFileSync(join(folder, 'a.txt'), 'hello');
    const pending = createPendingAttachments();
    expect(await pending.addPath(join(folder, 'a.txt'))).toMatchObject({
      ok: true,
      value: { name: 'a.txt', bytes: 5 },
    });
    expect(await pending.addPath(folder)).toMatchObject({ ok: false, error: { code: 'attachment_refused' } });
    expect(await pending.addPath(join(folder, 'none'))).toMatchObject({
      ok: false,
      error: { code: 'attachment_refused' },
    });
    rmSync(folder, { recursive: true });
  });
});
