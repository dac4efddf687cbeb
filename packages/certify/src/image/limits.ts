/** An image of more pixels is refused before it is decoded; 100 megapixels are 300 MB of RGB. */
export const MAX_PIXELS = 100_000_000
