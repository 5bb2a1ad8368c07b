import { expect, it } from 'vitest';
import { maxAttachmentBytes } from '../../../src-preload/contract';
import { base64Of, checkFile } from './attachment-files';

const limits = { count: 2, words: (key: string, name: string) => `${key} ${name}` };

it('takes a file within the limits', () => {
  expect(checkFile({ name: 'a', size: 1 }, 1, limits)).toBeNull();
});

it('says why a file is refused', () => {
  expect(checkFile({ name: 'a', size: 1 }, 2, limits)?.message).toBe('count a');
  expect(checkFile({ name: 'a', size: maxAttachmentBytes + 1 }, 0, limits)?.message).toBe('size a');
  expect(checkFile({ name: 'a', size: 0 }, 0, limits)?.message).toBe('empty a');
});

it('gives the bytes as base64, also more than one step of them', async () => {
  const bytes = new Uint8Array(100_000).map((_, index) => index % 256);
  expect(await base64Of(new Blob([bytes]))).toBe(Buffer.from(bytes).toString('base64'));
});
