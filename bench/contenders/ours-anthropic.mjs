/** The harness of this project over the Anthropic Messages wire. */
import { converse } from '../lib/our-harness.mjs';

export const run = (args) => converse(args, 'anthropic');
