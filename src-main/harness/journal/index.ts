export { lockDataFolder, type DataFolderLock } from './data-folder-lock';
export { openJournal, type Attachment, type Journal } from './journal';
export { openJournalReader, type JournalReader } from './read-journal';
