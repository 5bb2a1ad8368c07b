import type { Failure, RevealTarget } from '../../src-preload/contract';
import type { Gateway } from '../bridge/gateway';
import type { HostStore } from './host-store';
import { clampWidth, type Layout } from './layout';
import type { SessionStore } from './session-store';
import {
  emptyDraft,
  emptyRequestDraft,
  type Draft,
  type NewSessionChoice,
  type Notice,
  type Page,
  type RequestDraft,
  type Reveal,
  type UiStore,
} from './ui-store';

export interface UiActions {
  goTo(page: Page): void;
  /** Leaves the page of a session that is gone. */
  leaveRemoved(ids: readonly string[]): void;
  updateDraft(key: string, change: (draft: Draft) => Partial<Draft>): void;
  clearDraft(key: string): void;
  /** Keeps what the person sets on a waiting request until it is answered. */
  updateRequest(approvalId: string, change: Partial<RequestDraft>): void;
  choose(change: Partial<NewSessionChoice>): void;
  /** Stands until it is dismissed or the page is left; no failure makes none. */
  showNotice(...errors: readonly Failure[]): void;
  clearNotices(): void;
  dismissNotice(id: number): void;
  setDialog(dialog: 'none' | 'shortcuts'): void;
  openFind(): void;
  closeFind(): void;
  setLayout(layout: Layout, keep: boolean): void;
  resize(side: keyof Layout, width: number): void;
  toggleColumn(side: keyof Layout, narrow: boolean): void;
  closeDrawer(): void;
  point(target: Reveal['target']): void;
  /** A wish that was granted is over: nothing may take the focus for it a second time. */
  granted(nonce: number): void;
  reveal(target: RevealTarget): void;
  rememberFolder(path: string): void;
}

export interface UiDeps {
  readonly gateway: Gateway;
  readonly host: HostStore;
  readonly sessions: SessionStore;
  readonly ui: UiStore;
}

const maxNotices = 3;

function pageOf(target: RevealTarget): Page | null {
  if (target.type === 'session') return { type: 'session', session_id: target.session_id };
  if (target.type === 'new_session') return { type: 'new' };
  return target.type === 'settings' ? { type: 'settings', section: 'models' } : null;
}

function createLayoutActions({ gateway, ui }: UiDeps) {
  let timer: ReturnType<typeof setTimeout> | null = null;
  const keepLater = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = setTimeout(() => {
      void gateway.command('setting.set', { key: 'layout', value: ui.getState().layout });
    }, 400);
  };
  const setLayout = (layout: Layout, keep: boolean): void => {
    ui.setState({ layout });
    if (keep) keepLater();
  };
  return {
    setLayout,
    resize(side: keyof Layout, width: number) {
      const { layout } = ui.getState();
      setLayout({ ...layout, [side]: { ...layout[side], width: clampWidth(side, width) } }, true);
    },
    toggleColumn(side: keyof Layout, narrow: boolean) {
      const { layout, drawer } = ui.getState();
      if (narrow) ui.setState({ drawer: drawer === side ? 'none' : side });
      else setLayout({ ...layout, [side]: { ...layout[side], open: !layout[side].open } }, true);
    },
    closeDrawer() {
      ui.setState({ drawer: 'none' });
    },
  };
}

function createDraftActions({ ui }: UiDeps) {
  return {
    updateDraft(key: string, change: (draft: Draft) => Partial<Draft>) {
      ui.setState((state) => {
        const draft = state.drafts[key] ?? emptyDraft;
        return { drafts: { ...state.drafts, [key]: { ...draft, ...change(draft) } } };
      });
    },
    updateRequest(approvalId: string, change: Partial<RequestDraft>) {
      ui.setState(({ requests }) => ({
        requests: {
          ...requests,
          [approvalId]: { ...(requests[approvalId] ?? emptyRequestDraft), ...change },
        },
      }));
    },
    clearDraft(key: string) {
      for (const attachment of ui.getState().drafts[key]?.attachments ?? []) {
        if (attachment.preview !== null) URL.revokeObjectURL(attachment.preview);
      }
      ui.setState((state) => ({ drafts: { ...state.drafts, [key]: emptyDraft } }));
    },
  };
}

function createNoticeActions({ ui }: UiDeps) {
  let counter = 0;
  return {
    showNotice(...errors: readonly Failure[]) {
      if (errors.length === 0) return;
      counter += 1;
      const notice: Notice = { id: counter, errors };
      const words = JSON.stringify(errors);
      ui.setState((state) => {
        const others = state.notices.filter((known) => JSON.stringify(known.errors) !== words);
        return { notices: [...others, notice].slice(-maxNotices) };
      });
    },
    clearNotices() {
      ui.setState({ notices: [] });
    },
    dismissNotice(id: number) {
      ui.setState((state) => ({ notices: state.notices.filter((notice) => notice.id !== id) }));
    },
  };
}

/** Keeps which session was open last; a new session means none. Other pages leave it as it is. */
function createLastSession({ gateway, host }: UiDeps): (page: Page) => void {
  let kept: string | null | undefined;
  return (page) => {
    if (page.type !== 'session' && page.type !== 'new') return;
    const value = page.type === 'session' ? page.session_id : null;
    const { settings } = host.getState();
    if (kept === undefined && settings.status === 'ready') kept = settings.value.last_session;
    if (kept === value) return;
    kept = value;
    void gateway.command('setting.set', { key: 'last_session', value });
  };
}

export function createUiActions(deps: UiDeps): UiActions {
  const { ui } = deps;
  const keepLast = createLastSession(deps);
  let counter = 0;
  const point = (target: Reveal['target']): void => {
    counter += 1;
    ui.setState({ reveal: { nonce: counter, target } });
  };
  const goTo = (page: Page): void => {
    ui.setState({ page, notices: [], drawer: 'none', reveal: null, find: { open: false, nonce: 0 } });
    keepLast(page);
  };
  const openFind = (): void => {
    ui.setState((state) => ({ find: { open: true, nonce: state.find.nonce + 1 } }));
  };
  return {
    ...createLayoutActions(deps),
    ...createDraftActions(deps),
    ...createNoticeActions(deps),
    goTo,
    point,
    granted(nonce) {
      if (ui.getState().reveal?.nonce === nonce) ui.setState({ reveal: null });
    },
    leaveRemoved(ids) {
      const { page } = ui.getState();
      if (page.type === 'session' && ids.includes(page.session_id)) goTo({ type: 'new' });
    },
    choose(change) {
      ui.setState((state) => ({ newSession: { ...state.newSession, ...change } }));
    },
    setDialog(dialog) {
      ui.setState({ dialog });
    },
    openFind,
    closeFind() {
      ui.setState((state) => ({ find: { ...state.find, open: false } }));
    },
    reveal(target) {
      const page = pageOf(target);
      if (page) goTo(page);
      if (target.type === 'session' && target.approval_id !== null) {
        point({ type: 'approval', approval_id: target.approval_id });
      }
      if (target.type === 'find') openFind();
      if (target.type === 'shortcuts') ui.setState({ dialog: 'shortcuts' });
    },
    rememberFolder(path) {
      ui.setState((state) => ({ folders: [path, ...state.folders.filter((known) => known !== path)] }));
    },
  };
}
