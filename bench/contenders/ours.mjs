/**
 * The harness of this project, as the app and the command line open it: a coworker, a server in servers.json, the session
 * asks before each call and the host allows it once, so that request, decision, start and result of every call are
 * recorded, and what has to be there before the call runs is on the disk before it runs.
 */
import { converse } from '../lib/our-harness.mjs';

export const run = (args) => converse(args, 'openai-compatible');
