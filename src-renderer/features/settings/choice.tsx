import { useId, type ReactNode } from 'react';

/** One of a few, beside its label. */
export function Choice<T extends string>(props: {
  readonly label: string;
  readonly value: T;
  readonly options: readonly { readonly id: T; readonly label: string }[];
  readonly onChoose: (value: T) => void;
  readonly disabled?: boolean;
}): ReactNode {
  const name = useId();
  return (
    <div className="setting">
      <span className="field-label" id={name}>
        {props.label}
      </span>
      <fieldset className="segmented setting-choice" aria-labelledby={name} disabled={props.disabled}>
        {props.options.map((option) => (
          <label key={option.id}>
            <input
              type="radio"
              name={name}
              checked={option.id === props.value}
              onChange={() => props.onChoose(option.id)}
            />
            {option.label}
          </label>
        ))}
      </fieldset>
    </div>
  );
}
