/** Words of the system's own surfaces: menu, dialogs. The window has its own catalogue. */
export interface Words {
  readonly file: string;
  readonly edit: string;
  readonly view: string;
  readonly window: string;
  readonly help: string;
  readonly newSession: string;
  readonly settings: string;
  readonly find: string;
  readonly shortcuts: string;
  readonly open: string;
  readonly cancel: string;
  readonly quit: string;
  readonly chooseFolder: string;
  readonly chooseFiles: string;
  readonly cannotStart: string;
  openLink(target: string): string;
}

const english: Words = {
  file: '&File',
  edit: '&Edit',
  view: '&View',
  window: '&Window',
  help: '&Help',
  newSession: 'New Session',
  settings: 'Settings…',
  find: 'Find in Conversation…',
  shortcuts: 'Keyboard Shortcuts',
  open: 'Open',
  cancel: 'Cancel',
  quit: 'Quit',
  chooseFolder: 'Choose the folder that the coworker may work in',
  chooseFiles: 'Choose files to attach',
  cannotStart: 'OpenWorker cannot start',
  openLink: (target) => `Open ${target} in your browser?`,
};

const german: Words = {
  file: '&Datei',
  edit: '&Bearbeiten',
  view: '&Ansicht',
  window: '&Fenster',
  help: '&Hilfe',
  newSession: 'Neue Sitzung',
  settings: 'Einstellungen …',
  find: 'Im Gespräch suchen …',
  shortcuts: 'Tastenkürzel',
  open: 'Öffnen',
  cancel: 'Abbrechen',
  quit: 'Beenden',
  chooseFolder: 'Ordner wählen, in dem der Coworker arbeiten darf',
  chooseFiles: 'Dateien zum Anhängen wählen',
  cannotStart: 'OpenWorker kann nicht starten',
  openLink: (target) => `${target} im Browser öffnen?`,
};

/** Words for a language tag such as `de-AT`; English where there are none. */
export function wordsFor(language: string): Words {
  return language.toLowerCase().startsWith('de') ? german : english;
}
