/** Side of the picture, in pixels. Windows shows it at 16 to 32. */
export const badgeSide = 32;

/** Amber of what waits, and white, each as blue, green, red. */
const fill = [0x08, 0x5b, 0x9a] as const;
const ink = [0xff, 0xff, 0xff] as const;

/** Three columns and five rows for each sign, row by row. */
const glyphs: Readonly<Record<string, string>> = {
  '1': '010110010010111',
  '2': '110001010100111',
  '3': '110001010001110',
  '4': '101101111001001',
  '5': '111100110001110',
  '6': '011100111101111',
  '7': '111001010010010',
  '8': '111101111101111',
  '9': '111101111001110',
  '+': '000010111010000',
};

function isInk(text: string, x: number, y: number): boolean {
  const scale = text.length === 1 ? 4 : 3;
  const width = (text.length * 4 - 1) * scale;
  const column = Math.floor((x - Math.floor((badgeSide - width) / 2)) / scale);
  const row = Math.floor((y - Math.floor((badgeSide - 5 * scale) / 2)) / scale);
  if (column < 0 || row < 0 || row >= 5 || column % 4 === 3) return false;
  return glyphs[text[Math.floor(column / 4)] ?? '']?.[row * 3 + (column % 4)] === '1';
}

/** A disc with the count, `9+` above nine, as rows of blue, green, red and alpha. */
export function badgeBitmap(count: number): Uint8Array {
  const text = count > 9 ? '9+' : String(count);
  const pixels = new Uint8Array(badgeSide * badgeSide * 4);
  const centre = (badgeSide - 1) / 2;
  for (let y = 0; y < badgeSide; y += 1) {
    for (let x = 0; x < badgeSide; x += 1) {
      if (Math.hypot(x - centre, y - centre) > badgeSide / 2) continue;
      pixels.set([...(isInk(text, x, y) ? ink : fill), 0xff], (y * badgeSide + x) * 4);
    }
  }
  return pixels;
}
