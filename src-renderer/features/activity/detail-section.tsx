import type { ReactNode } from 'react';
import { useText } from '../../messages/use-text';
import { useActions } from '../../state/use-app';
import { CopyButton } from '../../ui/buttons';

/** A part of an opened row, with a button that copies it where it can be copied. */
export function DetailSection(props: {
  readonly title: string;
  readonly copy?: string | undefined;
  readonly children: ReactNode;
}): ReactNode {
  const { t } = useText();
  const actions = useActions();
  return (
    <section className="detail-section">
      <div className="detail-head">
        <h3>{props.title}</h3>
        {props.copy === undefined ? null : (
          <CopyButton
            text={props.copy}
            label={t('activity.copy', { what: props.title })}
            copy={actions.copy}
          />
        )}
      </div>
      {props.children}
    </section>
  );
}
