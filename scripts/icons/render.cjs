'use strict';

// Runs in Electron: draws an SVG at the sizes asked for and writes PNG files.
// usage: electron render.cjs SVG FOLDER SIZE,SIZE
const fs = require('node:fs');
const path = require('node:path');
const { app, BrowserWindow } = require('electron');

const [svgFile = '', folder = '', sizes = ''] = process.argv.slice(-3);

app.whenReady().then(async () => {
  const window = new BrowserWindow({
    show: false,
    webPreferences: { sandbox: true, contextIsolation: true },
  });
  await window.loadURL('data:text/html,<canvas></canvas>');
  const source = `data:image/svg+xml;base64,${fs.readFileSync(svgFile).toString('base64')}`;
  for (const size of sizes.split(',').map(Number)) {
    const png = await window.webContents.executeJavaScript(`(${draw})(${JSON.stringify(source)}, ${size})`);
    fs.writeFileSync(path.join(folder, `${size}.png`), Buffer.from(png.split(',')[1], 'base64'));
  }
  app.exit(0);
});

/* global document, Image */
/** @param {string} source @param {number} size */
async function draw(source, size) {
  const image = new Image(size, size);
  image.src = source;
  await image.decode();
  const canvas = document.querySelector('canvas');
  Object.assign(canvas, { width: size, height: size });
  canvas.getContext('2d').drawImage(image, 0, 0, size, size);
  return canvas.toDataURL('image/png');
}
