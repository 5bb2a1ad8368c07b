/**
 * Names, as a selector, what takes the focus inside an element when a control in it goes from the page while it has
 * the focus: `<li data-focus-home=".row-toggle">`.
 */
const attribute = 'data-focus-home';

/** The nearest thing around a control that is gone which can take the focus in its stead. */
export function focusHome(path: readonly Element[]): HTMLElement | null {
  const main = document.querySelector('main');
  for (const element of [...path, ...(main ? [main] : [])]) {
    if (!element.isConnected || !(element instanceof HTMLElement)) continue;
    const selector = element.getAttribute(attribute);
    const home = selector === null ? null : element.querySelector<HTMLElement>(selector);
    if (home) return home;
    if (element.hasAttribute('tabindex')) return element;
  }
  return null;
}

/** Keeps the keyboard's place: a control that goes from the page hands its focus to what is around it. */
export function keepFocus(): () => void {
  let path: readonly Element[] = [];
  const isLost = (): boolean => document.activeElement === null || document.activeElement === document.body;
  const onFocusIn = (event: FocusEvent): void => {
    path = event.composedPath().filter((target) => target instanceof Element);
  };
  // A click beside every control takes the focus away on purpose; a control that is gone does not.
  const onFocusOut = (event: FocusEvent): void => {
    if (event.relatedTarget !== null) return;
    setTimeout(() => {
      if (isLost() && path[0]?.isConnected === true) path = [];
    });
  };
  const observer = new MutationObserver(() => {
    if (path[0] === undefined || path[0].isConnected || !isLost()) return;
    const home = focusHome(path);
    path = [];
    home?.focus({ preventScroll: true });
  });
  observer.observe(document.body, { childList: true, subtree: true });
  document.addEventListener('focusin', onFocusIn);
  document.addEventListener('focusout', onFocusOut);
  return () => {
    observer.disconnect();
    document.removeEventListener('focusin', onFocusIn);
    document.removeEventListener('focusout', onFocusOut);
  };
}
