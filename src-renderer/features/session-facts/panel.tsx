import type { ReactNode } from 'react';

/** One card of the right column. */
export function Panel(props: {
  readonly title: string;
  readonly note?: ReactNode;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <section className="card fact-card" aria-label={props.title}>
      <header>
        <h2>{props.title}</h2>
        {props.note === undefined ? null : <span>{props.note}</span>}
      </header>
      {props.children}
    </section>
  );
}
