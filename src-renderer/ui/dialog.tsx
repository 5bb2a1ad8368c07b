import { X } from 'lucide-react';
import { useId, useLayoutEffect, useRef, type ReactNode } from 'react';
import { useText } from '../messages/use-text';
import { IconButton } from './buttons';
import './dialog.css';

/**
 * The platform's modal dialog: it traps focus, closes on Escape, and gives focus back. The first choice of its foot
 * has the focus at first, so the one that changes nothing stands there.
 */
export function Dialog(props: {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly footer?: ReactNode;
}): ReactNode {
  const { t } = useText();
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  // It closes while it is still in the page: only then does the platform give the focus back.
  useLayoutEffect(() => {
    const dialog = ref.current;
    if (dialog && !dialog.open) {
      dialog.showModal();
      dialog.querySelector<HTMLElement>('.dialog-foot button')?.focus();
    }
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={ref}
      className="dialog"
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        props.onClose();
      }}
      onClick={(event) => {
        if (event.target === ref.current) props.onClose();
      }}
    >
      <div className="dialog-inner">
        <header className="dialog-head">
          <h2 id={titleId}>{props.title}</h2>
          <IconButton icon={X} label={t('common.close')} onClick={props.onClose} />
        </header>
        <div className="dialog-body">{props.children}</div>
        {props.footer === undefined ? null : <footer className="dialog-foot">{props.footer}</footer>}
      </div>
    </dialog>
  );
}
