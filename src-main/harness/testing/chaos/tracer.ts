import { execFileSync } from 'node:child_process';

/** System calls by which the database reaches the disk. */
const watched = 'pwrite64,fdatasync,fsync,ftruncate';

/** The command in front of the core that makes its system calls fail, for example `pwrite64:signal=SIGKILL:when=3`. */
export function traced(inject: string, log = '/dev/null'): string[] {
  const injected = inject === '' ? [] : ['-e', `inject=${inject}`];
  return ['strace', '-qq', '-o', log, '-e', `trace=${watched}`, ...injected];
}

/** Why system calls cannot be made to fail here, or null. */
export function noTracer(): string | null {
  if (process.platform !== 'linux') return `no strace on ${process.platform}`;
  try {
    execFileSync('strace', ['-qq', '-o', '/dev/null', '-e', 'trace=fsync', 'true'], { stdio: 'ignore' });
    return null;
  } catch {
    return 'strace is not installed, or may not trace here';
  }
}
