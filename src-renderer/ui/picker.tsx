import { ChevronDown } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { IconType } from './buttons';
import { PickerList, type PickerOption } from './picker-list';
import './picker.css';

export type { PickerOption };

interface PickerProps {
  readonly label: string;
  readonly value: string | null;
  readonly shown: string;
  readonly options: readonly PickerOption[];
  readonly onChoose: (id: string) => void;
  readonly icon?: IconType;
  readonly side?: 'above' | 'below';
  readonly tone?: 'plain' | 'warning';
  readonly disabled?: boolean;
  readonly footer?: ReactNode;
}

/** A button that says what is chosen, with a list beside it. */
export function Picker(props: PickerProps): ReactNode {
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!open) return;
    const onPointerDown = (event: PointerEvent): void => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) setOpen(false);
    };
    document.addEventListener('pointerdown', onPointerDown, true);
    return () => document.removeEventListener('pointerdown', onPointerDown, true);
  }, [open]);
  const close = (refocus: boolean): void => {
    setOpen(false);
    if (refocus) button.current?.focus();
  };
  const Icon = props.icon;
  return (
    <div className="picker" ref={root}>
      <button
        ref={button}
        type="button"
        className={`picker-button ${props.tone ?? 'plain'}`}
        aria-haspopup="listbox"
        aria-expanded={open}
        aria-label={`${props.label}: ${props.shown}`}
        title={props.label}
        disabled={props.disabled}
        onClick={() => setOpen(!open)}
      >
        {Icon ? <Icon size={14} aria-hidden /> : null}
        <span className="truncate">{props.shown}</span>
        <ChevronDown size={13} aria-hidden />
      </button>
      {open ? (
        <div className={`picker-pop ${props.side ?? 'below'}`}>
          <PickerList
            {...props}
            close={close}
            onChoose={(id) => {
              close(true);
              props.onChoose(id);
            }}
          />
          {props.footer}
        </div>
      ) : null}
    </div>
  );
}
