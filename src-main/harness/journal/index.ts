export { lockDataFolder, type DataFolderLock } from './data-folder-lock';
export { openJournal } from './journal';
export { type Attachment, type HiddenStream, type Journal, type JournalDeps } from './journal-port';
export { openJournalReader, type JournalReader } from './read-journal';
