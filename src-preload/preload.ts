import { contextBridge, ipcRenderer } from 'electron';
import { channels, type Bridge, type Push } from './contract/bridge';

const bridge: Bridge = {
  command: (name, payload) => ipcRenderer.invoke(channels.command, name, payload),
  query: (name, payload) => ipcRenderer.invoke(channels.query, name, payload),
  onPush(listener) {
    const forward = (_event: unknown, push: Push): void => listener(push);
    ipcRenderer.on(channels.push, forward);
    return () => {
      ipcRenderer.removeListener(channels.push, forward);
    };
  },
};

contextBridge.exposeInMainWorld('openworker', bridge);
