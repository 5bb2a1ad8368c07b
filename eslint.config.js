import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';
import layers from './scripts/lib/layers.cjs';

const sources = ['src-main/**/*.ts', 'src-preload/**/*.ts', 'src-renderer/**/*.{ts,tsx}'];
const tests = [
  '**/*.test.{ts,tsx,mjs}',
  'e2e/**/*.ts',
  'src-main/harness/testing/**/*.ts',
  'src-renderer/testing/**/*.{ts,tsx}',
];

/** Each entry bans one package with reach outside its home. */
const homeBans = layers.packageHomes.map((home) => ({
  ...home,
  pattern: {
    regex: home.packages.replace(/\$$/, '(/.*)?$'),
    message: `It may be imported in ${home.homes.map((place) => place.replaceAll('\\', '').replace('$', '')).join(', ')} only.`,
  },
}));
const extensionBan = {
  regex: '^\\.{1,2}/.*\\.(ts|tsx|js)$',
  message: 'Relative imports carry no file extension.',
};
const testBan = { regex: layers.testPackages, message: 'Only tests and the test support may import it.' };

/**
 * The import rule for some files; a later config object replaces an earlier one, so each names the whole list.
 * @param {string[]} files
 * @param {{ regex: string, message: string }[]} patterns
 * @returns {import('eslint').Linter.Config}
 */
const imports = (files, patterns) => ({
  files,
  rules: { 'no-restricted-imports': ['error', { patterns: [extensionBan, ...patterns] }] },
});

/** @param {string} place a home of scripts/lib/layers.cjs */
const globOf = (place) => (place.endsWith('$') ? place.replaceAll('\\', '').slice(0, -1) : `${place}**/*.ts`);
const isolation =
  'Windows keep the hardened settings: no Node integration, web security on, no insecure content.';

/** Words of the hardening list. They are refused wherever they appear in code. */
const forbiddenWords = [
  {
    selector: 'Property[key.name=/^nodeIntegration(InWorker|InSubFrames)?$/][value.value=true]',
    message: isolation,
  },
  {
    selector: 'Property[key.name=/^(webSecurity|contextIsolation|sandbox)$/][value.value=false]',
    message: isolation,
  },
  {
    selector:
      'Property[key.name=/^(allowRunningInsecureContent|experimentalFeatures|enableBlinkFeatures|webviewTag|bypassCSP)$/]:not([value.value=false])',
    message: isolation,
  },
  {
    selector:
      'JSXAttribute[name.name="dangerouslySetInnerHTML"], Property[key.name="dangerouslySetInnerHTML"]',
    message: 'No raw HTML: render elements.',
  },
  {
    selector: 'AssignmentExpression[left.property.name=/^(innerHTML|outerHTML)$/]',
    message: 'No raw HTML: render elements.',
  },
];
const openExternal = {
  selector: 'MemberExpression[property.name="openExternal"], Property[key.name="openExternal"]',
  message: 'Links leave the app through src-main/app/external-links.ts only.',
};

export default tseslint.config(
  { ignores: ['node_modules/', '**/out/', 'dist/', 'artifacts/', '**/fixtures/**'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    files: [...sources, 'e2e/**/*.ts', '*.ts', 'scripts/**/*.{mjs,cjs}', 'bench/**/*.mjs', '*.js', '.*.cjs'],
    extends: [tseslint.configs.recommended],
    rules: {
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-eval': 'error',
      'no-implied-eval': 'error',
      'no-new-func': 'error',
      'no-console': 'off',
      'no-debugger': 'error',
      'prefer-const': 'error',
      'no-control-regex': 'error',
      'no-empty': ['error', { allowEmptyCatch: true }],
      'no-fallthrough': 'error',
      'no-self-compare': 'error',
      'no-unsafe-finally': 'error',
      'no-useless-escape': 'error',
      'max-lines': ['error', { max: 400 }],
      'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
      'no-restricted-syntax': ['error', ...forbiddenWords, openExternal],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    },
  },
  {
    // Rules that need types: a forgotten await is the one mistake that no other check finds.
    files: sources,
    languageOptions: {
      parserOptions: {
        project: [
          './tsconfig.protocol.json',
          './tsconfig.contract.json',
          './tsconfig.main.json',
          './tsconfig.preload.json',
          './tsconfig.renderer.json',
          './tsconfig.unit.json',
        ],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/only-throw-error': 'error',
    },
  },
  { files: ['scripts/**/*.cjs', '.*.cjs'], rules: { '@typescript-eslint/no-require-imports': 'off' } },
  {
    files: ['src-renderer/**/*.{ts,tsx}'],
    plugins: { 'react-hooks': reactHooks },
    rules: { 'react-hooks/rules-of-hooks': 'error', 'react-hooks/exhaustive-deps': 'error' },
  },
  {
    files: ['src-main/app/external-links.ts', 'src-main/app/external-links.test.ts'],
    rules: { 'no-restricted-syntax': ['error', ...forbiddenWords] },
  },
  {
    // Tests put stand-ins in the place of what is forbidden, and feed pages what pages must refuse.
    files: ['e2e/**/*.ts'],
    rules: { 'no-restricted-syntax': 'off' },
  },
  imports(sources, [...homeBans.map((ban) => ban.pattern), testBan]),
  ...homeBans.map((ban) =>
    imports(ban.homes.map(globOf), [
      ...homeBans
        .filter((other) => !other.homes.some((place) => ban.homes.includes(place)))
        .map((o) => o.pattern),
      testBan,
    ]),
  ),
  // Tests may import what tests need; dependency-cruiser still holds each package to its home.
  imports(tests, []),
  {
    files: tests,
    rules: {
      'max-lines': 'off',
      'max-lines-per-function': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
);
