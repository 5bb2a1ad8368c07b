import { describe, expect, it } from 'vitest';
import {
  emptySessionView,
  foldSessionEvents,
  type CoworkerCard,
  type ProviderStatus,
  type Settings,
} from '../../src-preload/contract';
import { madeSummary } from '../testing/made-summary';
import { beginTurn, created } from '../testing/fixture-sessions';
import { recorder } from '../testing/fixture-data';
import {
  effortsOf,
  latestDefinitionChange,
  needsFolder,
  seesImages,
  sessionChoices,
  startingModel,
  unreachableDefault,
  waitingCount,
  withSummary,
} from './selectors';

const provider = (
  id: string,
  state: ProviderStatus['state'],
  sees: boolean | null = null,
): ProviderStatus => ({
  id,
  kind: id === 'practice' ? 'practice' : 'openai-compatible',
  label: id,
  base_url: null,
  state,
  error: null,
  key: 'not_needed',
  models: state === 'ready' ? [{ name: 'm', label: 'M', sees_images: sees }] : [],
});

const settings = (name: string | null): Settings => ({
  theme: 'system',
  language: 'system',
  default_model: name === null ? null : { provider: name, name: 'm' },
  layout: null,
  onboarded: true,
  last_session: null,
  approval_expiry_minutes: null,
  notify_requests: true,
  notify_turn_end: true,
  notify_repeat_minutes: 0,
});

const nothing = { coworker_id: null, model: null, mode: null, effort: null, workspace: null };

describe('the model of a new session', () => {
  const providers = [provider('practice', 'ready'), provider('a', 'ready'), provider('b', 'not_running')];

  it('is the default while its provider is there or still being asked', () => {
    expect(startingModel(nothing, settings('a'), providers)).toEqual({ provider: 'a', name: 'm' });
    const asked = [provider('a', 'ready'), provider('b', 'checking')];
    expect(startingModel(nothing, settings('b'), asked)).toEqual({ provider: 'b', name: 'm' });
    expect(unreachableDefault(settings('b'), asked)).toBeNull();
    expect(unreachableDefault(settings('b'), [])).toBeNull();
  });

  it('is another where the default cannot be reached, and the default is named', () => {
    expect(startingModel(nothing, settings('b'), providers)).toEqual({ provider: 'a', name: 'm' });
    expect(unreachableDefault(settings('b'), providers)).toEqual({ provider: 'b', name: 'm' });
    expect(unreachableDefault(settings('gone'), providers)).toEqual({ provider: 'gone', name: 'm' });
    expect(unreachableDefault(settings(null), providers)).toBeNull();
  });
});

it('says of a model whether it sees pictures, and null where nobody says so', () => {
  const providers = [provider('a', 'ready', true), provider('b', 'ready', false), provider('c', 'ready')];
  const seen = ['a', 'b', 'c', 'd'].map((id) => seesImages(providers, { provider: id, name: 'm' }));
  expect(seen).toEqual([true, false, null, null]);
  expect(seesImages(providers, null)).toBeNull();
});

it('knows a coworker that can do nothing without a folder', () => {
  const card = (tools: readonly string[]): CoworkerCard => ({ tools }) as unknown as CoworkerCard;
  expect(needsFolder(card(['files.list', 'files.read']))).toBe(true);
  expect(needsFolder(card(['files.list', 'everything.echo']))).toBe(false);
  expect(needsFolder(card([]))).toBe(false);
});

describe('a session of which only the newest part has arrived', () => {
  const record = recorder('s', new Date(0));
  created(record, 'Title', 0, { provider: 'a', name: 'm' }, 'bypass');
  beginTurn(record, 't', 'hello', { provider: 'a', name: 'm' });
  const newest = foldSessionEvents(emptySessionView('s'), record.events.slice(1));

  it('has the choices that its latest turn fixed, and no mode rather than a wrong one', () => {
    expect(sessionChoices(newest)).toEqual({
      model: { provider: 'a', name: 'm' },
      mode: 'ask',
      effort: null,
    });
    expect(sessionChoices(emptySessionView('s')).mode).toBeNull();
    const whole = foldSessionEvents(newest, record.events.slice(0, 1));
    expect(sessionChoices(whole).mode).toBe('bypass');
  });

  it('is named as the list names it, until its beginning is there', () => {
    const summary = madeSummary({ session_id: 's', title: 'Listed', workspace: '/w', coworker_name: 'Org' });
    const view = withSummary(newest, summary);
    expect([view.title?.data, view.workspace, view.coworker?.name]).toEqual(['Listed', '/w', 'Org']);
    const whole = foldSessionEvents(newest, record.events.slice(0, 1));
    expect(withSummary(whole, summary)).toBe(whole);
  });
});

it('offers effort only for models that take it', () => {
  const known = provider('a', 'ready');
  const model = { name: 'deep', label: 'Deep', sees_images: null, efforts: ['low', 'high'] as const };
  const providers = [{ ...known, models: [...known.models, model] }];
  expect(effortsOf(providers, { provider: 'a', name: 'deep' })).toEqual(['low', 'high']);
  expect(effortsOf(providers, { provider: 'a', name: 'm' })).toEqual([]);
  expect(effortsOf(providers, null)).toEqual([]);
});

it('finds the newest change of a tool’s definition (S0-56)', () => {
  const record = recorder('s', new Date(0));
  for (const [name, pin] of [
    ['a.b', '1'],
    ['a.b', '2'],
    ['a.c', '3'],
  ] as const) {
    record.add('t', 'definition_changed', {
      qualified_name: name,
      before_pin: '0',
      after_pin: pin,
      changes: [],
    });
  }
  const view = foldSessionEvents(emptySessionView('s'), record.events);
  expect(latestDefinitionChange(view, 'a.b')?.after_pin).toBe('2');
  expect(latestDefinitionChange(view, 'x.y')).toBeNull();
});

it('requests, pauses and calls of unknown outcome are counted together: all of them wait for the person', () => {
  const sessions = [
    madeSummary({ session_id: 'a', waiting: ['a1', 'p1'], unsettled: ['t1/c1'] }),
    madeSummary({ session_id: 'b', unsettled: ['t1/c1'] }),
    madeSummary({ session_id: 'c' }),
  ];
  expect(waitingCount(new Map(sessions.map((session) => [session.session_id, session])))).toBe(4);
});
