import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { maxTextLength, type MessageSubmitted } from '../../../src-preload/contract';
import { useText } from '../../messages/use-text';
import { useActions } from '../../state/use-app';

/** The words while they are edited, and the act that sends them as a branch. */
function useEdit(props: EditProps) {
  const actions = useActions();
  const { message, onClose } = props;
  const [text, setText] = useState(message.text);
  const [sending, setSending] = useState(false);
  const ready = !sending && (text.trim() !== '' || message.attachments.length > 0);
  const send = (): void => {
    if (!ready) return;
    setSending(true);
    void actions.edit(props.sessionId, props.turnId, text, message.mentions).then((taken) => {
      setSending(false);
      if (taken) onClose();
    });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      onClose();
    }
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      send();
    }
  };
  return { text, setText, ready, send, onKeyDown };
}

interface EditProps {
  readonly sessionId: string;
  readonly turnId: string;
  readonly message: MessageSubmitted;
  readonly onClose: () => void;
}

/** The person's message in other words. Sending it begins a branch; Esc leaves everything as it was. */
export function MessageEdit(props: EditProps): ReactNode {
  const { t } = useText();
  const { message, onClose } = props;
  const { text, setText, ready, send, onKeyDown } = useEdit(props);
  const field = useRef<HTMLTextAreaElement>(null);
  const hintId = useId();
  useEffect(() => {
    const element = field.current;
    element?.focus();
    element?.setSelectionRange(element.value.length, element.value.length);
  }, []);
  return (
    <div className="message-edit">
      <textarea
        ref={field}
        className="input"
        rows={2}
        maxLength={maxTextLength}
        aria-label={t('edit.label')}
        aria-describedby={hintId}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div className="message-edit-foot">
        <p className="muted small" id={hintId}>
          {t(message.attachments.length > 0 ? 'edit.hint_files' : 'edit.hint')}
        </p>
        <button type="button" className="button small" onClick={onClose}>
          {t('common.cancel')}
        </button>
        <button
          type="button"
          className="button primary small"
          aria-disabled={!ready}
          title={t('edit.send_hint')}
          onClick={send}
        >
          {t('composer.send')}
        </button>
      </div>
    </div>
  );
}
