import { createContext, useContext } from 'react';
import { useStore } from 'zustand';
import type { AppState } from './app-state';
import type { HostState } from './host-store';
import { latestImage, type LatestImageState } from './image-store';
import type { OpenSession } from './session-store';
import type { UiState } from './ui-store';

export const AppContext = createContext<AppState | null>(null);

export function useApp(): AppState {
  const app = useContext(AppContext);
  if (!app) throw new Error('A component of the window is rendered outside AppContext.');
  return app;
}

export function useActions(): AppState['actions'] {
  return useApp().actions;
}

export function useHost<T>(select: (state: HostState) => T): T {
  return useStore(useApp().host, select);
}

export function useUi<T>(select: (state: UiState) => T): T {
  return useStore(useApp().ui, select);
}

export function useSession(sessionId: string): OpenSession | null {
  return useStore(useApp().sessions, (state) => state.open.get(sessionId) ?? null);
}

export function useLatestImage(sessionId: string): LatestImageState {
  return useStore(useApp().images, (state) => latestImage(state, sessionId));
}
