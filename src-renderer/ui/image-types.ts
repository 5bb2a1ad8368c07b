const imageTypes = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/gif']);

/** Whether files of a media type are shown to models, and here, as pictures. */
export function isImage(mediaType: string): boolean {
  return imageTypes.has(mediaType);
}
