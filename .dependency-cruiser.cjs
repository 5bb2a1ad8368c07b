'use strict';

const layers = require('./scripts/lib/layers.cjs');

const escape = (text) => text.replaceAll('.', '\\.');
const anyOf = (patterns) => `(${patterns.join('|')})`;
const test = '\\.test\\.tsx?$';
const installed = '(^|/)node_modules/';

/** A row's entry as a path expression: a file, the files of a folder, a folder, or each below `NAME/*` (as $1). */
function place(side, entry) {
  if (entry.endsWith('/*.ts')) return `^${side}/${entry.slice(0, -4)}[^/]+\\.ts$`;
  if (/\.tsx?$/.test(entry)) return `^${side}/${escape(entry)}$`;
  if (entry.endsWith('/*')) return `^${side}/${entry.slice(0, -2)}/([^/]+)/`;
  return `^${side}/${entry}/`;
}

/** `to` for an entry's own folder: for `NAME/*` the same folder that `from` matched. */
function own(side, entry) {
  return place(side, entry).replace('([^/]+)', '$1');
}

function rowsAllowed(side, rows, visible) {
  return rows.flatMap((row, index) => {
    const below = rows.slice(0, index).flat();
    return row.map((entry) => ({
      comment: `${side}/${entry}: itself and what lies below it`,
      from: { path: place(side, entry) },
      to: {
        path: [
          own(side, entry),
          ...below.filter((low) => visible(entry, low)).map((low) => place(side, low)),
        ],
      },
    }));
  });
}

const mainEntries = layers.mainRows.flat();
const inHarness = (entry) => entry.startsWith('harness/');
const contract = '^src-preload/contract/';
const preload = '^src-preload/[^/]+\\.ts$';
const protocol = '^src-main/harness/protocol/';
const testSupport = `^src-main/${layers.testSupport.main}/`;
const windowTestSupport = `^src-renderer/${layers.testSupport.renderer}/`;
const renderer = '^src-renderer/';

const mainAllowed = [
  ...rowsAllowed('src-main', layers.mainRows, (from, to) => inHarness(from) || !inHarness(to)),
  {
    comment: 'the harness is reached through its door',
    from: { path: mainEntries.filter((entry) => !inHarness(entry)).map((entry) => place('src-main', entry)) },
    to: { path: layers.harnessDoors.map((entry) => place('src-main', entry)) },
  },
  {
    comment: 'the version',
    from: { path: '^src-main/', pathNot: protocol },
    to: { path: '^package\\.json$' },
  },
  {
    comment: 'the test support uses the whole harness',
    from: { path: testSupport },
    to: { path: '^src-main/harness/' },
  },
  {
    comment: "the renderer's test support uses the whole renderer",
    from: { path: windowTestSupport },
    to: { path: renderer },
  },
  {
    comment: 'only tests use the test support',
    from: { path: test },
    to: { path: [testSupport, windowTestSupport] },
  },
  {
    comment: 'who speaks over the bridge knows its contract',
    from: { path: layers.contractUsers.map((entry) => place('src-main', entry)) },
    to: { path: contract },
  },
];

const windowAllowed = [
  { from: { path: contract }, to: { path: [contract, protocol] } },
  { from: { path: preload }, to: { path: [preload, contract] } },
  ...rowsAllowed('src-renderer', layers.rendererRows, () => true),
  {
    comment: 'the renderer knows main through the contract only',
    from: { path: renderer },
    to: { path: contract },
  },
  {
    comment: 'style sheets and pictures',
    from: { path: renderer },
    to: { path: `${renderer}.+\\.(css|svg|png|woff2)$` },
  },
];

const packagePath = (pattern) => `${installed}${pattern.replace(/^\^/, '').replace(/\$$/, '')}/`;
const homed = layers.packageHomes.map((home) => packagePath(home.packages));
const forTests = packagePath(layers.testPackages);

const packagesAllowed = [
  {
    comment: 'packages without reach, if package.json names them',
    from: { path: '^src-' },
    to: {
      path: installed,
      pathNot: [...homed, forTests],
      dependencyTypesNot: ['npm-no-pkg', 'npm-unknown', 'unknown', 'undetermined'],
    },
  },
  ...layers.packageHomes.map((home) => ({
    comment: `${home.name} has its home`,
    from: { path: `^${anyOf(home.homes)}` },
    to: { path: packagePath(home.packages) },
  })),
  {
    comment: 'test packages',
    from: { path: [test, testSupport, windowTestSupport] },
    to: { path: forTests },
  },
  {
    comment: 'Node, outside the protocol and the windows',
    from: { path: '^src-main/', pathNot: protocol },
    to: { dependencyTypes: ['core'] },
  },
  {
    comment: 'Node, in any test and its support',
    from: { path: [test, windowTestSupport] },
    to: { dependencyTypes: ['core'] },
  },
];

const knownPlaces = [
  ...mainEntries.map((entry) => place('src-main', entry)),
  testSupport,
  windowTestSupport,
  contract,
  preload,
  ...layers.rendererRows.flat().map((entry) => place('src-renderer', entry)),
  `${renderer}[^/]+\\.(d\\.ts|css)$`,
];

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  allowed: [...mainAllowed, ...windowAllowed, ...packagesAllowed],
  allowedSeverity: 'error',
  forbidden: [
    {
      name: 'folder-without-a-row',
      comment: 'The file lies where scripts/lib/layers.cjs has no row: add the row, or move the file.',
      severity: 'error',
      // A rule on modules, not imports, needs a count; whoever imports a misplaced file is refused anyway.
      from: {},
      module: { path: '^src-', pathNot: knownPlaces, numberOfDependentsLessThan: 100 },
    },
    {
      name: 'circular',
      comment: 'These modules need one another: take out what both need.',
      severity: 'error',
      from: { path: '^src-' },
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'unresolvable',
      comment: 'The import leads nowhere.',
      severity: 'error',
      from: { path: '^src-' },
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: ['node_modules'] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    combinedDependencies: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      mainFields: ['module', 'main', 'types'],
    },
  },
};
