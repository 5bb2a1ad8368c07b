/** Most characters of an image's base64 form (S1-69). */
export const maxImageBase64Characters = 768_000;
/** Most bytes of an image: what fits into that many characters. */
export const maxImageBytes = (maxImageBase64Characters / 4) * 3;
/** Most pixels on a side, and in all; larger pictures are attacks on whoever decodes them. */
export const maxImageSide = 16_384;
export const maxImagePixels = 64_000_000;
/** Milliseconds that an image lives (S1-72). */
export const imageLifeMs = 5 * 60 * 1000;
