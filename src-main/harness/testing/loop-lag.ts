import { monitorEventLoopDelay } from 'node:perf_hooks';

/** The longest time, in milliseconds, for which the event loop stood still while `work` ran. */
export async function loopLag(work: () => Promise<unknown>): Promise<number> {
  const monitor = monitorEventLoopDelay({ resolution: 5 });
  monitor.enable();
  try {
    await work();
    // A delay counts once the loop has come round again.
    await new Promise((resolve) => setTimeout(resolve, 20));
    return monitor.max / 1e6;
  } finally {
    monitor.disable();
  }
}
