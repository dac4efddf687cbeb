/**
 * Pixels of one image, as a file of its own or inside a PDF; 100 megapixels are 300 MB of RGB. What has more is not taken, so
 * that nothing is certified which the reader in the page leaves out.
 */
export const IMAGE_MAX_PIXELS = 100_000_000
