// Builds the window with made-up data into out/renderer-fixture/, for looking at it in any browser.
import path from 'node:path';
import react from '@vitejs/plugin-react';
import { build } from 'vite';

const here = import.meta.dirname;

await build({
  configFile: false,
  root: here,
  base: './',
  plugins: [react()],
  logLevel: 'warn',
  build: {
    outDir: path.join(here, '../../out/renderer-fixture'),
    emptyOutDir: true,
    target: 'chrome130',
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 2000,
  },
});
