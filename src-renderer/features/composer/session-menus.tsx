import type { ReactNode } from 'react';
import type { SessionView } from '../../../src-preload/contract';
import { listOf } from '../../state/host-store';
import { effortsOf, sessionChoices } from '../../state/selectors';
import { useActions, useHost } from '../../state/use-app';
import { EffortPicker } from '../../ui/effort-picker';
import { ModePicker } from '../../ui/mode-picker';
import { ModelPicker } from '../../ui/model-picker';

/** Mode, model and effort of an open session. */
export function SessionMenus({ view }: { readonly view: SessionView }): ReactNode {
  const actions = useActions();
  const providers = useHost((state) => listOf(state.providers));
  const { model, mode, effort } = sessionChoices(view);
  const efforts = effortsOf(providers, model);
  const id = view.session_id;
  return (
    <>
      {mode === null ? null : (
        <ModePicker mode={mode} side="above" onChoose={(next) => actions.setMode(id, next)} />
      )}
      <ModelPicker
        providers={providers}
        model={model}
        side="above"
        onSettings={() => actions.goTo({ type: 'settings', section: 'models' })}
        onChoose={(next) => actions.setModel(id, next)}
      />
      {efforts.length === 0 ? null : (
        <EffortPicker
          efforts={efforts}
          effort={effort}
          side="above"
          onChoose={(next) => actions.setEffort(id, next)}
        />
      )}
    </>
  );
}
