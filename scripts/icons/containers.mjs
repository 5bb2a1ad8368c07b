/**
 * Icon containers that hold PNG files as they are.
 * @typedef {{ size: number, png: Buffer }} Picture
 */

/**
 * Windows: an ICO file.
 * @param {Picture[]} pictures at most 256 pixels each
 */
export function ico(pictures) {
  const headerLength = 6 + 16 * pictures.length;
  const header = Buffer.alloc(headerLength);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(pictures.length, 4);
  let offset = headerLength;
  for (const [index, { size, png }] of pictures.entries()) {
    const at = 6 + 16 * index;
    // One byte each for width and height: 0 stands for 256.
    header.writeUInt8(size % 256, at);
    header.writeUInt8(size % 256, at + 1);
    header.writeUInt16LE(1, at + 4);
    header.writeUInt16LE(32, at + 6);
    header.writeUInt32LE(png.length, at + 8);
    header.writeUInt32LE(offset, at + 12);
    offset += png.length;
  }
  return Buffer.concat([header, ...pictures.map(({ png }) => png)]);
}

/** Type codes of an ICNS file for PNG data, by pixels. The same pixels serve a size and half of it at 2x. */
const icnsTypes = new Map([
  [16, ['icp4']],
  [32, ['icp5', 'ic11']],
  [64, ['ic12']],
  [128, ['ic07']],
  [256, ['ic08', 'ic13']],
  [512, ['ic09', 'ic14']],
  [1024, ['ic10']],
]);

/**
 * macOS: an ICNS file.
 * @param {Picture[]} pictures of the sizes above; others are left out
 */
export function icns(pictures) {
  const entries = pictures.flatMap(({ size, png }) =>
    (icnsTypes.get(size) ?? []).map((type) => Buffer.concat([chunkHeader(type, png.length), png])),
  );
  const length = entries.reduce((total, entry) => total + entry.length, 0);
  return Buffer.concat([chunkHeader('icns', length), ...entries]);
}

/** @param {string} type @param {number} length of what follows */
function chunkHeader(type, length) {
  const header = Buffer.alloc(8);
  header.write(type, 0, 'ascii');
  header.writeUInt32BE(length + 8, 4);
  return header;
}
