import { Check, Copy } from 'lucide-react';
import { useEffect, useState, type ComponentType, type ReactNode } from 'react';
import { useText } from '../messages/use-text';

export type IconType = ComponentType<{ size?: number | string; className?: string; 'aria-hidden'?: boolean }>;

/** A button that is only a picture; `label` is its name and its tooltip. */
export function IconButton(props: {
  readonly icon: IconType;
  readonly label: string;
  readonly onClick: () => void;
  readonly small?: boolean;
  readonly disabled?: boolean;
  readonly pressed?: boolean;
  readonly shortcut?: string;
}): ReactNode {
  const Icon = props.icon;
  return (
    <button
      type="button"
      className={props.small ? 'icon-button small' : 'icon-button'}
      aria-label={props.label}
      aria-pressed={props.pressed}
      aria-keyshortcuts={props.shortcut}
      title={props.shortcut === undefined ? props.label : `${props.label} (${props.shortcut})`}
      // A disabled element would lose the focus that it has.
      aria-disabled={props.disabled}
      onClick={() => {
        if (props.disabled !== true) props.onClick();
      }}
    >
      <Icon size={props.small ? 14 : 16} aria-hidden />
    </button>
  );
}

/** Copies a text and says so for two seconds. */
export function CopyButton(props: {
  readonly text: string;
  readonly label: string;
  readonly copy: (text: string) => Promise<boolean>;
  readonly withText?: boolean;
}): ReactNode {
  const { t } = useText();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [copied]);
  const Icon = copied ? Check : Copy;
  const label = copied ? t('common.copied') : props.label;
  return (
    <button
      type="button"
      className={props.withText ? 'button quiet small' : 'icon-button small'}
      aria-label={label}
      title={label}
      onClick={() => void props.copy(props.text).then(setCopied)}
    >
      <Icon size={14} aria-hidden />
      {props.withText ? <span>{copied ? t('common.copied') : t('common.copy')}</span> : null}
    </button>
  );
}
