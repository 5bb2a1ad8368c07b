import { Info } from 'lucide-react';
import { useMemo, type ReactNode } from 'react';
import type { GrantEntry, PendingApproval, SessionView } from '../../../src-preload/contract';
import { RichText, useText } from '../../messages/use-text';
import { latestDefinitionChange } from '../../state/selectors';
import { useActions } from '../../state/use-app';
import { ChangeList } from '../../ui/change-list';
import { PathText } from '../../ui/path-text';
import { PatternView } from '../../ui/pattern-view';
import { VisibleText } from '../../ui/visible-text';

/** Which tool, of which server, where it runs and what it can do. */
export function RequestFacts(props: {
  readonly pending: PendingApproval;
  readonly workspace: string | null;
}): ReactNode {
  const { t } = useText();
  const request = props.pending.request.data;
  const server = request.origin.server;
  return (
    <p className="request-facts">
      <code>
        <VisibleText text={request.qualified_name ?? request.name} />
      </code>
      {server === undefined ? null : (
        <span>
          <RichText
            message="approval.server"
            slots={{
              server: (
                <b key="server">
                  <VisibleText text={server} />
                </b>
              ),
            }}
          />
        </span>
      )}
      <span>
        <RichText
          message="approval.runs"
          slots={{ place: <b key="place">{t(`placement.${request.placement}`)}</b> }}
        />
      </span>
      <span>
        <RichText
          message="approval.can"
          slots={{ what: <b key="what">{t(`classification.${request.classification}`)}</b> }}
        />
      </span>
      {request.classification === 'write' && props.workspace !== null ? (
        <span className="break">
          <RichText
            message="approval.in_folder"
            slots={{
              folder: (
                <b key="folder">
                  <PathText path={props.workspace} />
                </b>
              ),
            }}
          />
        </span>
      ) : null}
    </p>
  );
}

/** Why it asks, with what was allowed before where the request speaks of it. */
export function RequestWhy(props: {
  readonly pending: PendingApproval;
  readonly grant: GrantEntry | null;
}): ReactNode {
  const { t, language } = useText();
  const actions = useActions();
  const { turn_id, request } = props.pending;
  const { reason, call_id } = request.data;
  const { grant } = props;
  return (
    <div className="request-why">
      <Info size={15} aria-hidden />
      <div>
        <p>
          {t(`reason.${reason}`)}{' '}
          <button
            type="button"
            className="link-button"
            onClick={() => actions.point({ type: 'row', turn_id, call_id })}
          >
            {t('approval.show_row')}
          </button>
        </p>
        {grant === null ? null : (
          <p className="request-former">
            <RichText
              message="request.former"
              values={{
                scope: t(`scope.${grant.grant.scope}`),
                date: new Intl.DateTimeFormat(language, { dateStyle: 'long' }).format(
                  new Date(grant.made_at),
                ),
              }}
              slots={{ what: <PatternView key="what" pattern={grant.grant.pattern ?? []} /> }}
            />
          </p>
        )}
      </div>
    </div>
  );
}

/** What changed in the tool since it was allowed, field by field (S0-56). */
export function RequestChanged(props: {
  readonly pending: PendingApproval;
  readonly view: SessionView;
}): ReactNode {
  const { t } = useText();
  const { reason, qualified_name } = props.pending.request.data;
  const change = useMemo(
    () =>
      reason === 'definition_changed' && qualified_name !== null
        ? latestDefinitionChange(props.view, qualified_name)
        : null,
    [reason, qualified_name, props.view],
  );
  if (!change) return null;
  return (
    <div className="request-changes" role="group" aria-label={t('definition.since')}>
      <p className="muted">
        {t(change.changes.length === 0 ? 'definition.not_on_record' : 'definition.since')}
      </p>
      <ChangeList changes={change.changes} before={t('change.before')} after={t('change.after')} />
    </div>
  );
}
