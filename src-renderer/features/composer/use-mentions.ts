import { useEffect, useState, type KeyboardEvent, type RefObject } from 'react';
import { useApp } from '../../state/use-app';
import { insertMention, mentionAt, type MentionAt } from './mention';

const shownFiles = 8;
const typingPause = 120;

export interface Mentions {
  readonly files: readonly string[];
  readonly active: number;
  readonly onCaret: (text: string, caret: number) => void;
  /** True when the key was for the list. */
  readonly onKeyDown: (event: KeyboardEvent) => boolean;
  readonly choose: (path: string) => void;
  readonly close: () => void;
}

/** The list behind `@`: files of the session's workspace, or of the folder chosen for a session to come. */
export function useMentions(deps: {
  readonly sessionId: string | null;
  readonly workspace: string | null;
  readonly draftKey: string;
  readonly textarea: RefObject<HTMLTextAreaElement | null>;
}): Mentions {
  const { gateway, actions } = useApp();
  const { sessionId, workspace, draftKey, textarea } = deps;
  const [at, setAt] = useState<MentionAt | null>(null);
  const [files, setFiles] = useState<readonly string[]>([]);
  const [active, setActive] = useState(0);
  const query = at?.query;
  useEffect(() => {
    setActive(0);
    if ((sessionId === null && workspace === null) || query === undefined) {
      setFiles([]);
      return;
    }
    let gone = false;
    const timer = setTimeout(() => {
      void gateway.query('workspace.files', { session_id: sessionId, workspace, query }).then((result) => {
        if (!gone) setFiles(result.ok ? result.value.slice(0, shownFiles) : []);
      });
    }, typingPause);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [gateway, sessionId, workspace, query]);
  const close = (): void => {
    setAt(null);
    setFiles([]);
  };
  const choose = (path: string): void => {
    const element = textarea.current;
    if (!at || !element) return;
    const next = insertMention(element.value, at, path);
    actions.updateDraft(draftKey, (draft) => ({
      text: next.text,
      mentions: draft.mentions.includes(path) ? draft.mentions : [...draft.mentions, path],
    }));
    close();
    requestAnimationFrame(() => {
      element.focus();
      element.setSelectionRange(next.caret, next.caret);
    });
  };
  const onKeyDown = (event: KeyboardEvent): boolean => {
    if (files.length === 0) return false;
    if (event.key === 'ArrowDown') setActive((active + 1) % files.length);
    else if (event.key === 'ArrowUp') setActive((active - 1 + files.length) % files.length);
    else if (event.key === 'Escape') close();
    else if (event.key === 'Enter' || event.key === 'Tab') choose(files[active] ?? files[0] ?? '');
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  };
  return { files, active, onKeyDown, choose, close, onCaret: (text, caret) => setAt(mentionAt(text, caret)) };
}
