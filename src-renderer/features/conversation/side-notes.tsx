import { CornerDownRight, FoldVertical, PauseCircle, Replace, RotateCw } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { ContextCompacted, DefinitionChanged, PauseFact } from '../../../src-preload/contract';
import { formatNumber } from '../../messages/format';
import { useText } from '../../messages/use-text';
import { useActions } from '../../state/use-app';
import type { IconType } from '../../ui/buttons';
import { ChangeList } from '../../ui/change-list';
import { limitWords } from '../../ui/limit-words';
import { LongText } from '../../ui/long-text';
import { VisibleText } from '../../ui/visible-text';

function SideLine(props: { readonly icon: IconType; readonly children: ReactNode }): ReactNode {
  const Icon = props.icon;
  return (
    <p className="side-line">
      <Icon size={14} aria-hidden />
      <span>{props.children}</span>
    </p>
  );
}

/** A quiet line across the timeline; what belongs to it is folded behind its button. */
function SideNote(props: {
  readonly icon: IconType;
  readonly words: ReactNode;
  readonly more: string;
  readonly children: ReactNode;
}): ReactNode {
  const [open, setOpen] = useState(false);
  return (
    <div className="side-note-block">
      <SideLine icon={props.icon}>
        {props.words}{' '}
        <button type="button" className="link-button" aria-expanded={open} onClick={() => setOpen(!open)}>
          {props.more}
        </button>
      </SideLine>
      {open ? <div className="side-body">{props.children}</div> : null}
    </div>
  );
}

export function CompactionNote({ compaction }: { readonly compaction: ContextCompacted }): ReactNode {
  const { t, language } = useText();
  const size = (tokens: number): string => formatNumber(tokens, language);
  return (
    <SideNote icon={FoldVertical} words={t('compaction.note')} more={t('compaction.summary')}>
      <p className="muted small">
        {t(compaction.by === 'model' ? 'compaction.by_model' : 'compaction.by_app', {
          before: size(compaction.tokens_before),
          after: size(compaction.tokens_after),
        })}
      </p>
      <p className="side-text">
        <LongText text={compaction.summary} />
      </p>
    </SideNote>
  );
}

export function DefinitionNote({ change }: { readonly change: DefinitionChanged }): ReactNode {
  const { t } = useText();
  const count = change.changes.length;
  return (
    <SideNote
      icon={Replace}
      words={
        <>
          <code className="mono">
            <VisibleText text={change.qualified_name} />
          </code>{' '}
          {t('definition.changed')}
        </>
      }
      more={t('definition.changes', { count })}
    >
      {count === 0 ? (
        <p className="muted">{t('definition.not_on_record')}</p>
      ) : (
        <ChangeList changes={change.changes} before={t('change.before')} after={t('change.after')} />
      )}
    </SideNote>
  );
}

export function PauseNote({ pause }: { readonly pause: PauseFact }): ReactNode {
  const { t, language } = useText();
  const actions = useActions();
  const started = pause.started?.data;
  if (!started) return null;
  const ended = pause.ended?.data;
  const what = limitWords(started.kind, started.limit, t, language);
  const words = ended
    ? t(`pause.note.${ended.by === 'turn_end' ? 'turn_end' : ended.outcome}`, { limit: what })
    : t('pause.note.open', { limit: what });
  return (
    <SideLine icon={PauseCircle}>
      {words}{' '}
      {ended ? null : (
        <button
          type="button"
          className="link-button"
          onClick={() => actions.point({ type: 'approval', approval_id: pause.pause_id })}
        >
          {t('activity.to_request')}
        </button>
      )}
    </SideLine>
  );
}

/** Says how a turn without a message of its own came to be. */
export function TurnOrigin({ kind }: { readonly kind: 'retried' | 'rerun' }): ReactNode {
  const { t } = useText();
  return <SideLine icon={kind === 'retried' ? CornerDownRight : RotateCw}>{t(`turn.${kind}`)}</SideLine>;
}
