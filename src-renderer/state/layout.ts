export interface Column {
  /** CSS pixels. */
  readonly width: number;
  readonly open: boolean;
}

export interface Layout {
  readonly left: Column;
  readonly right: Column;
}

export const columnLimits = { left: { min: 200, max: 420 }, right: { min: 240, max: 480 } } as const;
export const defaultLayout: Layout = { left: { width: 252, open: true }, right: { width: 300, open: true } };

export function clampWidth(side: keyof Layout, width: number): number {
  const { min, max } = columnLimits[side];
  return Math.round(Math.min(max, Math.max(min, width)));
}

function readColumn(side: keyof Layout, value: unknown): Column {
  if (typeof value !== 'object' || value === null) return defaultLayout[side];
  const { width, open } = value as { width?: unknown; open?: unknown };
  return {
    width:
      typeof width === 'number' && Number.isFinite(width)
        ? clampWidth(side, width)
        : defaultLayout[side].width,
    open: typeof open === 'boolean' ? open : defaultLayout[side].open,
  };
}

/** Reads the kept layout; whatever is not one gives the default. */
export function parseLayout(value: unknown): Layout {
  if (typeof value !== 'object' || value === null) return defaultLayout;
  const { left, right } = value as { left?: unknown; right?: unknown };
  return { left: readColumn('left', left), right: readColumn('right', right) };
}
