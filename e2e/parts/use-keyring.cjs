// Loaded before the app: takes back the switch by which the test driver turns the keyring off.
const { app } = require('electron');
app.commandLine.removeSwitch('password-store');
app.commandLine.appendSwitch('password-store', 'gnome-libsecret');
