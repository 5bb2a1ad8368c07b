/** pi over the Anthropic Messages wire. */
import { converse } from './pi.mjs';

export const run = (args) => converse(args, 'anthropic');
