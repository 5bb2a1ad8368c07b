import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's root, absolute. */
export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', '..');

/**
 * @param {string[]} parts relative to the root; an absolute first part stays
 * @returns {string} absolute
 */
export const inRoot = (...parts) => path.resolve(root, ...parts);
