import { createFixtureBridge } from './fixture-bridge';

const query = new URLSearchParams(location.search);
const theme = query.get('theme');
const bridge = createFixtureBridge({
  onboarded: query.get('onboarded') !== 'no',
  theme: theme === 'dark' || theme === 'light' ? theme : 'system',
  language: query.get('language') ?? 'en',
  empty: query.has('empty'),
  defaultProvider: query.get('default'),
  slow: query.has('slow'),
  picture: !query.has('expired'),
  journal: query.get('journal') === 'loss' ? 'loss' : 'whole',
  keychain: query.get('keychain') === 'none' ? 'none' : 'system',
});
Object.defineProperty(window, 'openworker', { value: bridge });
void import('../main');
