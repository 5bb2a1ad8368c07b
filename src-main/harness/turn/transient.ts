import type { ModelFile, ModelRequest } from '../model';
import { collectModelContext } from './model-context';
import type { TurnDeps, TurnPlan } from './turn-port';

/** What goes with one attempt only. */
export interface Transient {
  readonly transient: NonNullable<ModelRequest['transient']>;
  /** The image whose pixels go along, or null. */
  readonly image_id: string | null;
}

interface ImagePart {
  readonly words: string;
  readonly file: ModelFile | null;
  readonly image_id: string | null;
}

const none: ImagePart = { words: '', file: null, image_id: null };

function inWords(why: string): ImagePart {
  return { ...none, words: `[The latest image of this conversation is not shown to you: ${why}]` };
}

/** The conversation speaks of an image that is not kept any more: of minutes ago, or of before a restart (S1-74). */
function goneImage(deps: TurnDeps): ImagePart {
  const known = deps.history.latestImage();
  if (!known) return none;
  return inWords(`${known.image_id} is no longer kept. Call the tool again for a new one.`);
}

/** The latest image, where the model may have it: consent is asked again each time (S0-14, S0-36, S1-66). */
function latestImage(deps: TurnDeps, plan: TurnPlan): ImagePart {
  const latest = deps.images.latest(plan.session_id);
  // An image of another branch is none of this conversation.
  if (!latest || !deps.history.hasImage(latest.reference.image_id)) return goneImage(deps);
  const { reference, source } = latest;
  const name = source.qualified_name;
  if (!deps.forwardsImages) return inWords('this app does not pass images on.');
  if (!plan.provider.seesImages(plan.model.name)) return inWords('this model does not see images.');
  const tool = plan.tools.find((candidate) => candidate.descriptor.qualified_name === name);
  if (!tool) return inWords(`${name}, which gave it, is not among your tools any more.`);
  try {
    const asked = tool.hooks.mayForwardImage?.(plan.session_id);
    if (tool.hooks.mayForwardImage && asked !== true) {
      return inWords(`the permission to pass on images of ${name} has ended.`);
    }
  } catch {
    return inWords(`${name} could not say whether it may be passed on.`);
  }
  const data = deps.images.bytes(plan.session_id, reference.image_id);
  if (!data) return inWords('it has expired. Call the tool again for a new one.');
  const extension = reference.media_type === 'image/png' ? 'png' : 'jpg';
  return {
    words: `[Image ${reference.image_id} from ${name}, ${reference.width} × ${reference.height}:]`,
    file: { name: `${reference.image_id}.${extension}`, media_type: reference.media_type, data },
    image_id: reference.image_id,
  };
}

/** Collects the live facts and the latest image for one attempt, and tells whoever watches what the tools said. */
export function collectTransient(
  deps: TurnDeps,
  plan: TurnPlan,
  attempt: number,
  slow: Set<string>,
): Transient {
  const context = collectModelContext(plan.tools, plan.session_id, deps.clock, slow);
  if (plan.tools.some((tool) => tool.hooks.modelContext)) {
    const { facts, bytes } = context;
    deps.emit({ type: 'model_context', turn_id: plan.turn_id, attempt, facts, bytes });
  }
  const image = latestImage(deps, plan);
  const text = [context.text, image.words].filter((part) => part !== '').join('\n\n');
  return { transient: { text, image: image.file }, image_id: image.image_id };
}
