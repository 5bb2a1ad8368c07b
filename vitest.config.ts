import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    environment: 'node',
    include: [
      'src-main/**/*.test.ts',
      'src-preload/**/*.test.ts',
      'src-renderer/**/*.test.{ts,tsx}',
      'scripts/**/*.test.mjs',
    ],
    testTimeout: 20_000,
    hookTimeout: 20_000,
    restoreMocks: true,
    // A test file that holds no test is a mistake; an empty selection while a part is new is not.
    passWithNoTests: true,
  },
});
