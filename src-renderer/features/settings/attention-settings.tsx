import { useId, type ReactNode } from 'react';
import type { Settings } from '../../../src-preload/contract';
import { useText, type Text } from '../../messages/use-text';
import { useActions } from '../../state/use-app';
import { Choice } from './choice';

const pauses = [0, 1, 5, 15] as const;

function Tick(props: {
  readonly label: string;
  readonly detail: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}): ReactNode {
  const id = useId();
  return (
    <div className="setting-tick">
      <input
        id={id}
        type="checkbox"
        aria-describedby={`${id}-detail`}
        checked={props.checked}
        onChange={(event) => props.onChange(event.target.checked)}
      />
      <label htmlFor={id}>{props.label}</label>
      <p className="muted" id={`${id}-detail`}>
        {props.detail}
      </p>
    </div>
  );
}

/** The offered pauses, with one that stands in the settings and is none of them. */
function pauseOptions(minutes: number, t: Text): { readonly id: string; readonly label: string }[] {
  const offered = pauses.map((pause) => ({ id: String(pause), label: t(`notify.repeat.${pause}`) }));
  if (pauses.some((pause) => pause === minutes)) return offered;
  return [...offered, { id: String(minutes), label: t('notify.repeat.own', { count: minutes }) }];
}

/** How the person is told of what waits or has ended while they look elsewhere. */
export function AttentionSettings({ settings }: { readonly settings: Settings }): ReactNode {
  const { t } = useText();
  const { setSetting } = useActions();
  const { notify_requests: requests, notify_turn_end: turnEnd, notify_repeat_minutes: minutes } = settings;
  return (
    <>
      <Tick
        label={t('notify.requests')}
        detail={t('notify.requests.detail')}
        checked={requests}
        onChange={(value) => setSetting('notify_requests', value)}
      />
      <div className="setting-below">
        <Choice
          label={t('notify.repeat')}
          value={String(minutes)}
          disabled={!requests}
          options={pauseOptions(minutes, t)}
          onChoose={(value) => setSetting('notify_repeat_minutes', Number(value))}
        />
        <p className="muted setting-note">{t(requests ? 'notify.repeat.detail' : 'notify.repeat.off')}</p>
      </div>
      <Tick
        label={t('notify.turn_end')}
        detail={t('notify.turn_end.detail')}
        checked={turnEnd}
        onChange={(value) => setSetting('notify_turn_end', value)}
      />
    </>
  );
}
