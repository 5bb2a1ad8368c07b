/** A picture of a window that never was, as base64 of a PNG. */
export function fixturePicture(): string {
  const canvas = document.createElement('canvas');
  canvas.width = 640;
  canvas.height = 400;
  const pen = canvas.getContext('2d');
  if (!pen) throw new Error('This browser draws no canvas.');
  pen.fillStyle = '#dfe7ea';
  pen.fillRect(0, 0, 640, 400);
  for (let index = 0; index < 15; index += 1) {
    pen.fillStyle = `hsl(${index * 24} 42% 62%)`;
    pen.fillRect(24 + (index % 5) * 122, 64 + Math.floor(index / 5) * 108, 106, 92);
  }
  pen.fillStyle = '#24312f';
  pen.font = '600 20px sans-serif';
  pen.fillText('Photos', 24, 40);
  return canvas.toDataURL('image/png').split(',')[1] ?? '';
}
