import { ChevronDown } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef, useState, type ReactNode, type RefObject } from 'react';
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

const gap = 6;
const margin = 8;

/**
 * Lays the list into the top layer beside its button, where no scroll area can cut it: above or below, as asked if
 * there is room, else where there is more.
 */
function usePlace(
  button: RefObject<HTMLElement | null>,
  side: 'above' | 'below',
  close: () => void,
): RefObject<HTMLDivElement | null> {
  const pop = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const list = pop.current;
    const anchor = button.current?.getBoundingClientRect();
    if (!list || !anchor) return;
    if (!list.matches(':popover-open')) list.showPopover();
    const size = list.getBoundingClientRect();
    const roomAbove = anchor.top - gap - margin;
    const roomBelow = window.innerHeight - anchor.bottom - gap - margin;
    const above =
      side === 'above'
        ? roomAbove >= size.height || roomAbove > roomBelow
        : roomBelow < size.height && roomAbove > roomBelow;
    const left = Math.max(margin, Math.min(anchor.left, window.innerWidth - size.width - margin));
    list.style.left = `${left}px`;
    list.style.maxHeight = `${above ? roomAbove : roomBelow}px`;
    list.style.top = above ? 'auto' : `${anchor.bottom + gap}px`;
    list.style.bottom = above ? `${window.innerHeight - anchor.top + gap}px` : 'auto';
  }, [button, side]);
  useEffect(() => {
    window.addEventListener('resize', close);
    return () => window.removeEventListener('resize', close);
  }, [close]);
  return pop;
}

function PickerPop(
  props: PickerProps & {
    readonly button: RefObject<HTMLButtonElement | null>;
    readonly close: (refocus: boolean) => void;
  },
): ReactNode {
  const { button, close } = props;
  const closeQuietly = useRef(() => close(false)).current;
  const pop = usePlace(button, props.side ?? 'below', closeQuietly);
  useEffect(() => {
    const onPointerDown = (event: PointerEvent): void => {
      const { target } = event;
      if (!(target instanceof Node) || pop.current?.contains(target) || button.current?.contains(target))
        return;
      closeQuietly();
    };
    document.addEventListener('pointerdown', onPointerDown, true);
    return () => document.removeEventListener('pointerdown', onPointerDown, true);
  }, [pop, button, closeQuietly]);
  return (
    <div className="picker-pop" popover="manual" ref={pop}>
      <PickerList
        {...props}
        onChoose={(id) => {
          close(true);
          props.onChoose(id);
        }}
      />
      {props.footer}
    </div>
  );
}

/** A button that says what is chosen, with a list beside it. */
export function Picker(props: PickerProps): ReactNode {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = (refocus: boolean): void => {
    setOpen(false);
    if (refocus) button.current?.focus();
  };
  const Icon = props.icon;
  return (
    <div className="picker">
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
      {open ? <PickerPop {...props} button={button} close={close} /> : null}
    </div>
  );
}
