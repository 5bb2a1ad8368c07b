/** Words of the settings for requests and for the person's attention. */
export const attention = {
  'settings.section.requests': 'Requests',
  'settings.section.attention': 'Attention',
  'expiry.label': 'A request expires',
  'expiry.never': 'never',
  'expiry.15': 'after 15 minutes',
  'expiry.60': 'after 1 hour',
  'expiry.480': 'after 8 hours',
  'expiry.own': 'after another time',
  'expiry.minutes': 'Minutes until a request expires',
  'expiry.minutes.unit': 'minutes',
  'expiry.minutes.wrong': 'Write a whole number of minutes from 1 to {{most}}.',
  'expiry.explained':
    'A request that nobody answers in time is closed. The model is told that nobody answered. That is no refusal: nothing ran, and it may ask again.',
  'expiry.explained.never': 'A request waits until somebody answers it, also over a restart of the app.',
  'notify.requests': 'Tell me when something waits for my answer',
  'notify.requests.detail':
    'A notice of the system, while the window is not in front. It never says what is asked or by whom.',
  'notify.turn_end': 'Tell me when a long turn ends',
  'notify.turn_end.detail':
    'Of a turn that worked for more than half a minute, while the window is not in front.',
  'notify.repeat': 'Remind me',
  'notify.repeat.0': 'never',
  'notify.repeat.1': 'every minute',
  'notify.repeat.5': 'every 5 minutes',
  'notify.repeat.15': 'every 15 minutes',
  'notify.repeat.own': 'every {{count}} minutes',
  'notify.repeat.detail':
    'As long as something waits. Also while the window is in front, when nobody has touched the computer for a minute.',
  'notify.repeat.off': 'Reminders repeat the notice above, which is turned off.',
} as const;
