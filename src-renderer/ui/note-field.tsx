import { useEffect, useId, useRef, type ReactNode } from 'react';

/** A few words of the person. It takes the focus where they asked for it just now, as is usual; else `quiet`. */
export function NoteField(props: {
  readonly className: string;
  readonly label: string;
  readonly hint: string;
  readonly note: string;
  readonly quiet?: boolean;
  readonly onChange: (note: string) => void;
}): ReactNode {
  const { className, label, hint, note, quiet = false, onChange } = props;
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (!quiet) field.current?.focus();
    // Only how it came counts.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);
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
