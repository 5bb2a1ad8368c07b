import { describe, expect, it } from 'vitest';
import type { CoworkerCard, ProviderStatus, Settings } from '../../src-preload/contract';
import { needsFolder, seesImages, startingModel, unreachableDefault } from './selectors';

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
});

const nothing = { coworker_id: null, model: null, mode: null, workspace: null };

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
