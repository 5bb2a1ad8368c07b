import type { ModelChoice } from '../../src-preload/contract';
import { listOf } from './host-store';
import { effortsOf, isUsable, startingModel, unreachableDefault } from './selectors';
import { newDraftKey } from './ui-store';
import { useApp, useHost, useUi } from './use-app';

/** What the next session begins with: the person's choice, else what suits. */
function useStarting() {
  const choice = useUi((state) => state.newSession);
  const coworkers = useHost((state) => listOf(state.coworkers));
  const providers = useHost((state) => listOf(state.providers));
  const settings = useHost((state) => (state.settings.status === 'ready' ? state.settings.value : null));
  const usable = coworkers.filter(isUsable);
  const model = startingModel(choice, settings, providers);
  const efforts = effortsOf(providers, model);
  const coworker = usable.find((candidate) => candidate.id === choice.coworker_id) ?? usable[0] ?? null;
  return {
    coworker,
    providers,
    model,
    efforts,
    /** What the person chose, where the model takes it. */
    effort: efforts.find((known) => known === choice.effort) ?? null,
    /** The default model that another stands in for; null when the person chose, or the default is there. */
    replaced: choice.model ? null : unreachableDefault(settings, providers),
    hasDefault: settings === null || settings.default_model !== null,
    mode: choice.mode ?? coworker?.default_mode ?? 'ask',
    workspace: choice.workspace,
  } as const;
}

/** The choice, and the act that makes the session and sends its first message. */
export function useStartSession(): {
  readonly start: ReturnType<typeof useStarting>;
  readonly chooseModel: (model: ModelChoice) => void;
  readonly send: () => Promise<void>;
} {
  const { actions, ui } = useApp();
  const start = useStarting();
  // Without a default, the first model that is chosen or used becomes it: one answer everywhere.
  const keepDefault = (model: ModelChoice): void => {
    if (!start.hasDefault) actions.setSetting('default_model', model);
  };
  const chooseModel = (model: ModelChoice): void => {
    actions.choose({ model });
    keepDefault(model);
  };
  const send = async (): Promise<void> => {
    if (!start.coworker) return;
    const { coworker, model, mode, effort, workspace } = start;
    const created = await actions.createSession({
      coworker_id: coworker.id,
      model,
      mode,
      effort,
      workspace,
    });
    if (!created.ok) {
      actions.showNotice(created.error);
      return;
    }
    keepDefault(model);
    const id = created.value.session_id;
    const draft = ui.getState().drafts[newDraftKey];
    // The draft moves to the new session first, so that a refused message waits there.
    if (draft) actions.updateDraft(id, () => draft);
    ui.setState((state) => {
      const { [newDraftKey]: _moved, ...drafts } = state.drafts;
      return { drafts };
    });
    actions.goTo({ type: 'session', session_id: id });
    await actions.submit(id, id);
    actions.point({ type: 'composer' });
  };
  return { start, chooseModel, send };
}
