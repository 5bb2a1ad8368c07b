import { screen, type BrowserWindow } from 'electron';
import { isJsonObject, type Json } from '../harness';
import type { WindowBounds } from './window';

const initial: WindowBounds = { width: 1280, height: 820 };
const settleMs = 500;

function numberAt(value: Json | undefined, key: string): number | null {
  const found = isJsonObject(value) ? value[key] : undefined;
  return typeof found === 'number' && Number.isFinite(found) ? Math.round(found) : null;
}

/** The window's last place if a screen still shows it, else the initial size. */
export function restoreBounds(settings: Readonly<Record<string, Json>>): WindowBounds {
  const stored = settings['window'];
  const [x, y] = [numberAt(stored, 'x'), numberAt(stored, 'y')];
  const [width, height] = [numberAt(stored, 'width'), numberAt(stored, 'height')];
  if (width === null || height === null) return initial;
  const visible = screen.getAllDisplays().some(({ workArea }) => {
    const inX = x !== null && x + 80 < workArea.x + workArea.width && x + width > workArea.x + 80;
    return inX && y !== null && y >= workArea.y - 20 && y + 40 < workArea.y + workArea.height;
  });
  return visible && x !== null && y !== null ? { x, y, width, height } : { width, height };
}

/** Reports the window's place once it has been still for a moment. */
export function watchBounds(
  window: BrowserWindow,
  save: (bounds: { x: number; y: number; width: number; height: number }) => void,
): void {
  let timer: NodeJS.Timeout | undefined;
  const later = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (!window.isDestroyed() && !window.isMaximized() && !window.isFullScreen())
        save({ ...window.getNormalBounds() });
    }, settleMs);
  };
  window.on('resize', later);
  window.on('move', later);
  window.on('closed', () => clearTimeout(timer));
}
