/** One job in a process of its own: `{ module, call, args }` as JSON. Sends one report to the parent and ends. */
import fs from 'node:fs';
import path from 'node:path';

const job = JSON.parse(process.argv[2]);

/** Bytes that this process gave to the disk; null where the system does not say. */
function writtenBytes() {
  try {
    return Number(/^write_bytes: (\d+)/m.exec(fs.readFileSync('/proc/self/io', 'utf8'))[1]);
  } catch {
    return null;
  }
}

function sizeOf(folder) {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + fs.statSync(path.join(entry.parentPath ?? entry.path, entry.name)).size, 0);
}

async function measured() {
  const module = await import(job.module);
  const written = writtenBytes();
  const cpu = process.cpuUsage();
  const began = performance.now();
  const value = await module[job.call](job.args);
  const wall_ms = performance.now() - began;
  const { user, system } = process.cpuUsage(cpu);
  return {
    ok: true,
    value,
    wall_ms,
    cpu_ms: (user + system) / 1000,
    peak_bytes: process.resourceUsage().maxRSS * 1024,
    written_bytes: written === null ? null : writtenBytes() - written,
    kept_bytes: sizeOf(job.args.folder),
  };
}

const report = await measured().catch((error) => ({
  ok: false,
  error: String(error?.stack ?? error).slice(0, 4_000),
}));
await new Promise((resolve) => process.send(report, resolve));
process.disconnect();
// A contender may leave timers or sockets behind: the run is over all the same.
setTimeout(() => process.exit(0), 2_000).unref();
