/**
 * The import rule of this repository, written once. dependency-cruiser and ESLint both read it.
 * docs/architecture.md explains it; change both in the same commit.
 */
'use strict';

/**
 * Folders and files of the main side, lowest first. A module imports from rows below its own row, never from
 * its own row's neighbours and never upwards. Names are paths below src-main; one with an extension is a file,
 * `*.ts` stands for the files directly in a folder.
 */
const mainRows = [
  ['harness/protocol'],
  [
    'harness/validation',
    'harness/commands',
    'harness/journal',
    'harness/images',
    'harness/sandbox',
    'harness/model',
    'harness/workspace',
  ],
  ['harness/tools'],
  ['harness/guardrails', 'harness/approvals', 'harness/bundles'],
  ['harness/tools-coding', 'harness/tools-files', 'harness/tools-person', 'harness/mcp', 'harness/call'],
  ['harness/turn'],
  ['harness/session'],
  // The door and the files that make it up: they lie beside the folders, not in one.
  ['harness/*.ts'],
  ['sdk'],
  ['headless', 'app'],
  ['ipc'],
  ['main.ts'],
];

/** Imported by tests only; may themselves use everything of their side. */
const testSupport = { main: 'harness/testing', renderer: 'testing' };

/** The parts of the harness that the rest of src-main may name; all else is reached through the door. */
const harnessDoors = ['harness/index.ts', 'harness/protocol'];

/** Rows outside the harness that speak over the bridge and therefore know its contract. */
const contractUsers = ['ipc', 'app', 'main.ts'];

/**
 * The renderer's rows, lowest first, same rule. `features/*` stands for each feature apart: features never
 * import one another.
 */
const rendererRows = [['messages'], ['bridge', 'ui'], ['state'], ['features/*'], ['app.tsx'], ['main.tsx']];

/** Packages with reach, and the only places that may import them. Paths are regular expressions. */
const packageHomes = [
  {
    name: 'electron',
    packages: '^electron$',
    homes: ['src-main/app/', 'src-main/ipc/', 'src-main/main\\.ts$', 'src-preload/preload\\.ts$'],
  },
  { name: 'mcp-client', packages: '^@modelcontextprotocol/client$', homes: ['src-main/harness/mcp/'] },
  { name: 'ajv', packages: '^ajv(-formats)?$', homes: ['src-main/harness/validation/'] },
  {
    name: 'command-grammar',
    packages: '^(web-tree-sitter|tree-sitter-bash)$',
    homes: ['src-main/harness/commands/'],
  },
  { name: 'libsql', packages: '^libsql$', homes: ['src-main/harness/journal/'] },
  {
    name: 'model-providers',
    packages: '^(@ai-sdk/.+|ai|eventsource-parser)$',
    homes: ['src-main/harness/model/'],
  },
];

/** Packages that only tests and the test support may import. */
const testPackages = '^(vitest|fast-check|@modelcontextprotocol/(sdk|server-everything)|@playwright/test)$';

module.exports = {
  mainRows,
  testSupport,
  harnessDoors,
  contractUsers,
  rendererRows,
  packageHomes,
  testPackages,
};
