import type { attention as english } from '../en/attention';

export const attention: Readonly<Record<keyof typeof english, string>> = {
  'settings.section.requests': 'Anfragen',
  'settings.section.attention': 'Aufmerksamkeit',
  'expiry.label': 'Eine Anfrage läuft ab',
  'expiry.never': 'nie',
  'expiry.15': 'nach 15 Minuten',
  'expiry.60': 'nach 1 Stunde',
  'expiry.480': 'nach 8 Stunden',
  'expiry.own': 'nach anderer Zeit',
  'expiry.minutes': 'Minuten, bis eine Anfrage abläuft',
  'expiry.minutes.unit': 'Minuten',
  'expiry.minutes.wrong': 'Schreiben Sie eine ganze Zahl von Minuten, von 1 bis {{most}}.',
  'expiry.explained':
    'Eine Anfrage, die niemand rechtzeitig beantwortet, wird geschlossen. Dem Modell wird gesagt, dass niemand geantwortet hat. Das ist keine Ablehnung: Nichts lief, und es darf noch einmal fragen.',
  'expiry.explained.never':
    'Eine Anfrage wartet, bis jemand antwortet, auch über einen Neustart der App hinweg.',
  'notify.requests': 'Melden, wenn etwas auf meine Antwort wartet',
  'notify.requests.detail':
    'Eine Meldung des Systems, solange das Fenster nicht vorn ist. Sie sagt nie, was gefragt wird oder von wem.',
  'notify.turn_end': 'Melden, wenn ein langer Durchgang endet',
  'notify.turn_end.detail':
    'Bei einem Durchgang, der länger als eine halbe Minute arbeitete, solange das Fenster nicht vorn ist.',
  'notify.repeat': 'Erinnern',
  'notify.repeat.0': 'nie',
  'notify.repeat.1': 'jede Minute',
  'notify.repeat.5': 'alle 5 Minuten',
  'notify.repeat.15': 'alle 15 Minuten',
  'notify.repeat.own': 'alle {{count}} Minuten',
  'notify.repeat.detail':
    'Solange etwas wartet. Auch wenn das Fenster vorn ist, sobald eine Minute lang niemand den Computer berührt hat.',
  'notify.repeat.off': 'Erinnerungen wiederholen die Meldung oben, und die ist ausgeschaltet.',
};
