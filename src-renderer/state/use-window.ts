import { useEffect, useState } from 'react';
import { changeLanguage, languageFor } from '../messages/use-text';
import { keepFocus } from '../ui/focus-home';
import { useApp, useHost } from './use-app';

export function useMedia(query: string): boolean {
  const [matches, setMatches] = useState(() => window.matchMedia(query).matches);
  useEffect(() => {
    const list = window.matchMedia(query);
    const onChange = (): void => setMatches(list.matches);
    onChange();
    list.addEventListener('change', onChange);
    return () => list.removeEventListener('change', onChange);
  }, [query]);
  return matches;
}

/** Puts theme and language of the settings into the document. */
export function useAppearance(): void {
  const settings = useHost((state) => (state.settings.status === 'ready' ? state.settings.value : null));
  const systemDark = useMedia('(prefers-color-scheme: dark)');
  const theme = settings?.theme ?? 'system';
  const language = settings?.language;
  useEffect(() => {
    const dark = theme === 'dark' || (theme === 'system' && systemDark);
    document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  }, [theme, systemDark]);
  useEffect(() => {
    if (language !== undefined) void changeLanguage(languageFor(language, navigator.language));
  }, [language]);
}

/** A control that goes from the page hands its focus on. */
export function useKeptFocus(): void {
  useEffect(keepFocus, []);
}

function regionOf(element: Element | null): string | null {
  return element?.closest('[data-region]')?.getAttribute('data-region') ?? null;
}

/** F6 goes from anywhere to the request that waits, and from there to the composer. */
function switchRegion(): void {
  const request = document.querySelector<HTMLElement>('[data-region="approval"]');
  const target =
    request && regionOf(document.activeElement) !== 'approval'
      ? request
      : document.querySelector<HTMLElement>('[data-region="composer"] textarea');
  target?.focus();
}

/** Keys that work everywhere in the window. */
export function useShortcuts(toggle: (side: 'left' | 'right') => void): void {
  const { actions, ui } = useApp();
  useEffect(() => {
    const page = () => ui.getState().page;
    const stop = (): void => {
      const at = page();
      if (at.type === 'session') actions.stop(at.session_id);
    };
    const keys: Readonly<Record<string, () => void>> = {
      n: () => actions.goTo({ type: 'new' }),
      f: () => {
        if (page().type === 'session') actions.openFind();
      },
      ',': () => actions.goTo({ type: 'settings', section: 'models' }),
      '/': () => actions.setDialog('shortcuts'),
      b: () => toggle('left'),
      i: () => toggle('right'),
      '.': stop,
    };
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key === 'F6') {
        event.preventDefault();
        switchRegion();
        return;
      }
      if (event.key === 'Escape') actions.closeDrawer();
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.repeat) return;
      const act = keys[event.key.toLowerCase()];
      if (!act) return;
      event.preventDefault();
      act();
    };
    // A file that is dropped beside the composer must not replace the page.
    const refuse = (event: DragEvent): void => event.preventDefault();
    window.addEventListener('keydown', onKeyDown);
    window.addEventListener('dragover', refuse);
    window.addEventListener('drop', refuse);
    return () => {
      window.removeEventListener('keydown', onKeyDown);
      window.removeEventListener('dragover', refuse);
      window.removeEventListener('drop', refuse);
    };
  }, [actions, ui, toggle]);
}
