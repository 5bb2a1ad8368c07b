import { useEffect, useId, useRef, type ReactNode } from 'react';

/** A few words of the person. It takes the focus: it is there because they asked for it just now. */
export function NoteField(props: {
  readonly className: string;
  readonly label: string;
  readonly hint: string;
  readonly note: string;
  readonly onChange: (note: string) => void;
}): ReactNode {
  const { className, label, hint, note, onChange } = props;
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <div className={`field ${className}`}>
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        ref={field}
        className="input"
        rows={2}
        maxLength={4000}
        placeholder={hint}
        value={note}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}
