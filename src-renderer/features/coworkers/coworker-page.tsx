import { Bot } from 'lucide-react';
import type { ReactNode } from 'react';
import type { CoworkerCard } from '../../../src-preload/contract';
import { useText } from '../../messages/use-text';
import { isUsable } from '../../state/selectors';
import { useActions, useHost } from '../../state/use-app';
import { CoworkerIcon } from '../../ui/coworker-icon';
import { ProblemList } from '../../ui/problem-list';
import { EmptyNote, Load } from '../../ui/states';
import { splitName } from '../../ui/tool-sentence';
import { VisibleText } from '../../ui/visible-text';
import './coworkers.css';

function Tools({ tools }: { readonly tools: readonly string[] }): ReactNode {
  const { t } = useText();
  const groups = new Map<string, string[]>();
  for (const name of tools) {
    const { namespace } = splitName(name);
    const key = namespace ?? '';
    groups.set(key, [...(groups.get(key) ?? []), name]);
  }
  return (
    <section className="coworker-section">
      <h2>{t('coworker.tools', { count: tools.length })}</h2>
      {tools.length === 0 ? <p className="muted">{t('coworker.no_tools')}</p> : null}
      {[...groups].map(([namespace, names]) => (
        <div key={namespace} className="card tool-card">
          <h3>
            <VisibleText text={namespace} />
          </h3>
          <ul>
            {names.map((name) => (
              <li key={name} className="mono break">
                <VisibleText text={name} />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}

function Head({ coworker }: { readonly coworker: CoworkerCard }): ReactNode {
  const { t } = useText();
  const actions = useActions();
  const facts = [
    coworker.tagline,
    coworker.version === '' ? '' : t('coworker.version', { version: coworker.version }),
    t(`coworker.source.${coworker.source}`),
  ].filter((fact) => fact.trim() !== '');
  return (
    <header className="coworker-head">
      <CoworkerIcon id={coworker.id} icon={coworker.icon} large />
      <div className="coworker-name">
        <h1>
          <VisibleText text={coworker.name} />
        </h1>
        <p className="muted">
          <VisibleText text={facts.join(' · ')} />
        </p>
      </div>
      <button
        type="button"
        className="button primary"
        disabled={!isUsable(coworker)}
        onClick={() => {
          actions.choose({ coworker_id: coworker.id, mode: null });
          actions.goTo({ type: 'new' });
        }}
      >
        {t('coworker.start')}
      </button>
    </header>
  );
}

function Habits({ coworker }: { readonly coworker: CoworkerCard }): ReactNode {
  const { t } = useText();
  return (
    <section className="coworker-section">
      <h2>{t('coworker.habits')}</h2>
      <p className="muted">
        {t('coworker.default_mode', { mode: t(`mode.${coworker.default_mode}`) })}
        {coworker.recommended_models.length > 0
          ? ` · ${t('coworker.models', { models: coworker.recommended_models.join(', ') })}`
          : ''}
      </p>
    </section>
  );
}

function Details({ coworker }: { readonly coworker: CoworkerCard }): ReactNode {
  const { t } = useText();
  // A coworker whose files could not be read has no version: of its habits nothing is known either.
  const known = isUsable(coworker) || coworker.version !== '';
  return (
    <>
      <Head coworker={coworker} />
      {coworker.problems.length === 0 ? null : (
        <section className="coworker-section">
          <h2>{t('coworker.problems', { count: coworker.problems.length })}</h2>
          <ProblemList problems={coworker.problems} />
        </section>
      )}
      {coworker.description.trim() === '' ? null : (
        <p className="coworker-description">
          <VisibleText text={coworker.description} />
        </p>
      )}
      {known || coworker.tools.length > 0 ? <Tools tools={coworker.tools} /> : null}
      {coworker.skills.length === 0 ? null : (
        <section className="coworker-section">
          <h2>{t('coworker.skills', { count: coworker.skills.length })}</h2>
          <ul className="tag-list">
            {coworker.skills.map((skill) => (
              <li key={skill} className="tag">
                <VisibleText text={skill} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {known ? <Habits coworker={coworker} /> : null}
    </>
  );
}

/** Who a coworker is and what it may use. */
export function CoworkerPage({ coworkerId }: { readonly coworkerId: string }): ReactNode {
  const { t } = useText();
  const actions = useActions();
  const coworkers = useHost((state) => state.coworkers);
  return (
    <div className="page-scroll">
      <div className="page-inner">
        <Load from={coworkers} retry={() => void actions.reload('coworkers')}>
          {(list) => {
            const coworker = list.find((candidate) => candidate.id === coworkerId);
            return coworker ? (
              <Details coworker={coworker} />
            ) : (
              <EmptyNote icon={Bot} title={t('coworker.gone')} />
            );
          }}
        </Load>
      </div>
    </div>
  );
}
