import type { ModelFacts } from '../protocol';
import { catalogFacts } from './model-catalog';
import type { Endpoint, RemoteKind } from './provider-config';

const seeingNames =
  /(^|[^a-z])(vision|vl|llava|bakllava|moondream|pixtral|minicpm-v|gemma-?3|gemma-?4|llama-?4|gpt-4o|gpt-4\.1|gpt-5|claude|gemini|internvl|qvq)/i;

function openaiSees(model: string): boolean {
  if (/^(gpt-3|gpt-4-0|gpt-4-1106|gpt-4-32k|o1-mini|o1-preview|o3-mini)/.test(model) || model === 'gpt-4') {
    return false;
  }
  return /^(gpt-|chatgpt-|o\d|ft:gpt-4o|codex)/.test(model);
}

/** What the name alone says of whether a model sees images; null where it says nothing. */
export function seesImagesByName(kind: RemoteKind, model: string): boolean | null {
  switch (kind) {
    case 'anthropic':
      return !/^claude-(2|instant)/.test(model);
    case 'google':
      return !/^gemma-?[12]/.test(model);
    case 'openai':
      return openaiSees(model);
    case 'openai-compatible':
    case 'ollama':
    case 'lmstudio':
      return seeingNames.test(model) ? true : null;
  }
}

const notForChat =
  /embed|tts|whisper|dall-e|gpt-image|image|moderation|transcribe|realtime|-audio|davinci|babbage|sora|instruct|imagen|veo|aqa|lyria|computer-use/i;

/** Whether a model of a company's own list can be talked to; compatible endpoints keep their whole list. */
export function isChatModel(kind: RemoteKind, model: string): boolean {
  if (kind === 'openai') return /^(gpt-|chatgpt-|o\d|ft:|codex)/.test(model) && !notForChat.test(model);
  if (kind === 'google') return !notForChat.test(model);
  return true;
}

/** What the name alone says of a model; null where it says nothing. */
export function factsByName({ kind, official }: Endpoint, model: string): ModelFacts | null {
  const sees_images = seesImagesByName(kind, model);
  const known = catalogFacts(kind, model, official);
  if (sees_images === null && Object.keys(known).length === 0) return null;
  return { name: model, label: model, sees_images, ...known };
}
