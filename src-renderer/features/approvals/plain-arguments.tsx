import type { ReactNode } from 'react';
import type { ApprovalRequested, JsonObject } from '../../../src-preload/contract';
import { useText } from '../../messages/use-text';
import { useActions } from '../../state/use-app';
import { CopyButton } from '../../ui/buttons';
import { JsonTree } from '../../ui/json-tree';
import { VisibleText } from '../../ui/visible-text';
import type { ArgumentForm } from './argument-form';

function Rest({ value }: { readonly value: JsonObject }): ReactNode {
  return Object.keys(value).length === 0 ? null : <JsonTree value={value} whole />;
}

function Moves({ form }: { readonly form: Extract<ArgumentForm, { type: 'moves' }> }): ReactNode {
  const { t } = useText();
  return (
    <ul className="request-moves">
      {form.moves.map((move, index) => (
        <li key={index}>
          <span className="break">
            <VisibleText text={move.from} />
          </span>
          <span className="muted" aria-hidden>
            →
          </span>
          <span className="visually-hidden">{t('approval.moves_to')}</span>
          <span className="break">
            <VisibleText text={move.to} />
          </span>
        </li>
      ))}
    </ul>
  );
}

function Fields({ form }: { readonly form: Extract<ArgumentForm, { type: 'fields' }> }): ReactNode {
  const { t } = useText();
  if (form.first.length === 0) return null;
  return (
    <dl className="request-fields">
      {form.first.map(([name, value]) => (
        <div key={name}>
          <dt className="break">
            <VisibleText text={name} />
          </dt>
          <dd>
            {value === '' ? (
              <i className="muted">{t('arguments.empty_text')}</i>
            ) : (
              <VisibleText text={value} />
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Arguments in the form that lets a person judge them fastest, whole. */
export function PlainArguments({ form }: { readonly form: ArgumentForm }): ReactNode {
  const { t } = useText();
  if (form.type === 'none') return <p className="muted">{t('arguments.none')}</p>;
  return (
    <>
      {form.type === 'moves' ? <Moves form={form} /> : <Fields form={form} />}
      <Rest value={form.rest} />
    </>
  );
}

/** Arguments that stand in no record: who keeps them out, and the digest by which they can be known again. */
export function WithheldArguments({ request }: { readonly request: ApprovalRequested }): ReactNode {
  const { t } = useText();
  const actions = useActions();
  const name = request.guardrails?.find((fact) => fact.action === 'withheld')?.guardrail;
  const digest = request.arguments_digest;
  return (
    <div className="request-withheld">
      <p className="muted">
        {name === undefined ? t('arguments.withheld_here_unnamed') : t('arguments.withheld_here', { name })}
      </p>
      <p>
        <code className="mono break">{digest}</code>
        <CopyButton text={digest} label={t('arguments.copy_digest')} copy={actions.copy} />
      </p>
      <p className="muted">{t('request.no_edit.withheld')}</p>
    </div>
  );
}
