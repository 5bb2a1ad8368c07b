import { X } from 'lucide-react';
import { useEffect, useId, useRef, type ReactNode } from 'react';
import { useText } from '../messages/use-text';
import { IconButton } from './buttons';
import './dialog.css';

/** The platform's modal dialog: it traps focus, closes on Escape, and gives focus back. */
export function Dialog(props: {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly footer?: ReactNode;
}): ReactNode {
  const { t } = useText();
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const dialog = ref.current;
    if (dialog && !dialog.open) dialog.showModal();
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
