import { StrictMode, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app';
import { createGateway, windowBridge } from './bridge/gateway';
import { languageFor, startMessages, useText } from './messages/use-text';
import { createAppState } from './state/app-state';
import { AppContext } from './state/use-app';
import './ui/tokens.css';
import './ui/base.css';
import './ui/controls.css';

function BridgeMissing(): ReactNode {
  const { t } = useText();
  return (
    <main className="empty-note">
      <h1 className="empty-title">{t('bridge.missing')}</h1>
      <p>{t('bridge.missing.detail')}</p>
    </main>
  );
}

async function begin(): Promise<void> {
  const root = document.getElementById('root');
  if (!root) throw new Error('index.html has no element with the id "root".');
  const dark = window.matchMedia('(prefers-color-scheme: dark)').matches;
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  await startMessages(languageFor('system', navigator.language));
  const bridge = windowBridge();
  if (!bridge) {
    createRoot(root).render(<BridgeMissing />);
    return;
  }
  const app = createAppState({ gateway: createGateway(bridge) });
  app.start();
  createRoot(root).render(
    <StrictMode>
      <AppContext value={app}>
        <App />
      </AppContext>
    </StrictMode>,
  );
}

void begin();
