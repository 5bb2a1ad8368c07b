import { useRef, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react';
import './splitter.css';

const step = 16;

/** A movable border between two columns: by pointer, by arrow keys, and back to the default by double click. */
export function Splitter(props: {
  readonly label: string;
  readonly side: 'left' | 'right';
  readonly width: number;
  readonly min: number;
  readonly max: number;
  readonly initial: number;
  readonly onResize: (width: number) => void;
}): ReactNode {
  const drag = useRef<{ readonly x: number; readonly width: number } | null>(null);
  const sign = props.side === 'left' ? 1 : -1;
  const onPointerDown = (event: PointerEvent<HTMLDivElement>): void => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = { x: event.clientX, width: props.width };
  };
  const onPointerMove = (event: PointerEvent<HTMLDivElement>): void => {
    if (drag.current) props.onResize(drag.current.width + sign * (event.clientX - drag.current.x));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const moves: Readonly<Record<string, number>> = {
      ArrowLeft: props.width - sign * step,
      ArrowRight: props.width + sign * step,
      Home: props.min,
      End: props.max,
    };
    const width = moves[event.key];
    if (width === undefined) return;
    event.preventDefault();
    props.onResize(width);
  };
  return (
    <div
      className={`splitter ${props.side}`}
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={props.label}
      aria-valuenow={props.width}
      aria-valuemin={props.min}
      aria-valuemax={props.max}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={() => (drag.current = null)}
      onPointerCancel={() => (drag.current = null)}
      onDoubleClick={() => props.onResize(props.initial)}
      onKeyDown={onKeyDown}
    />
  );
}
