import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** The app's own servers.json: made from the shipped one at the first start, the person's from then on. */
export function provideServersFile(dataFolder: string, shipped: string): string {
  const file = join(dataFolder, 'servers.json');
  if (!existsSync(file)) {
    mkdirSync(dataFolder, { recursive: true });
    copyFileSync(shipped, file);
  }
  return file;
}
