import type { EndOutcome } from './attention-facts';

/** Words of the system's own surfaces: menu, dialogs, notifications. The window has its own catalogue. */
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
  /** Of requests, of which there is one at least. */
  waitsForAnswer(count: number): string;
  /** Of turns that ended, of which there is one at least. */
  turnsEnded(outcomes: readonly EndOutcome[]): string;
  /** What the badge stands for, where it cannot be read. */
  thingsWait(count: number): string;
}

/** The sentence for one turn or for many of one outcome; `mixed` where they differ. */
function endWords(
  outcomes: readonly EndOutcome[],
  one: Readonly<Record<EndOutcome, string>>,
  many: Readonly<Record<EndOutcome | 'mixed', string>>,
): string {
  const [first = 'done'] = outcomes;
  if (outcomes.length < 2) return one[first];
  const same = outcomes.every((outcome) => outcome === first);
  return `${outcomes.length} ${many[same ? first : 'mixed']}`;
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
  waitsForAnswer: (count) =>
    count === 1 ? 'A coworker waits for your answer.' : `${count} requests wait for your answer.`,
  turnsEnded: (outcomes) =>
    endWords(
      outcomes,
      {
        done: 'A coworker has finished.',
        failed: 'A coworker stopped with an error.',
        unknown: 'A coworker has stopped; only you can say what became of one of its calls.',
      },
      {
        done: 'sessions have finished.',
        failed: 'sessions stopped with an error.',
        unknown: 'sessions have stopped; only you can say what became of some of their calls.',
        mixed: 'sessions have ended, some with an error or with a question to you.',
      },
    ),
  thingsWait: (count) => (count === 1 ? '1 thing waits for you' : `${count} things wait for you`),
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
  waitsForAnswer: (count) =>
    count === 1 ? 'Ein Coworker wartet auf Ihre Antwort.' : `${count} Anfragen warten auf Ihre Antwort.`,
  turnsEnded: (outcomes) =>
    endWords(
      outcomes,
      {
        done: 'Ein Coworker ist fertig.',
        failed: 'Ein Coworker hat mit einem Fehler aufgehört.',
        unknown: 'Ein Coworker hat aufgehört; nur Sie wissen, was aus einem seiner Aufrufe wurde.',
      },
      {
        done: 'Sitzungen sind fertig.',
        failed: 'Sitzungen haben mit einem Fehler aufgehört.',
        unknown: 'Sitzungen haben aufgehört; nur Sie wissen, was aus einigen ihrer Aufrufe wurde.',
        mixed: 'Sitzungen sind zu Ende, manche mit einem Fehler oder einer Frage an Sie.',
      },
    ),
  thingsWait: (count) => (count === 1 ? '1 Sache wartet auf Sie' : `${count} Sachen warten auf Sie`),
};

/** Words for a language tag such as `de-AT`; English where there are none. */
export function wordsFor(language: string): Words {
  return language.toLowerCase().startsWith('de') ? german : english;
}
