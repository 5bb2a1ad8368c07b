import type { ModelFile, ModelRequest } from './port';

function hasImage(request: ModelRequest, sees: boolean): boolean {
  const type = request.transient?.image?.media_type;
  return sees && (type === 'image/png' || type === 'image/jpeg');
}

/** What goes with this request only, or null. An image is left out where the model sees none. */
export function transientOf(
  request: ModelRequest,
  sees: boolean,
): { readonly text: string; readonly image: ModelFile | null } | null {
  if (!request.transient) return null;
  const text = request.transient.text.trim() === '' ? '' : request.transient.text;
  const image = hasImage(request, sees) ? request.transient.image : null;
  return text === '' && image === null ? null : { text, image };
}
