// The system's error box waits for a click; in a test its words go to the log instead.
const { dialog } = require('electron');
dialog.showErrorBox = (title, content) => console.error(`${title}\n${content}`);
