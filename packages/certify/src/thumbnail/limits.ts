/** Longest side in pixels: 160 on screens with two pixels to one. */
export const THUMBNAIL_SIDE = 320

/** Pictures that come out larger are made again, coarser. */
export const THUMBNAIL_AIM_BYTES = 20_000

/** More than any picture of that side takes; what a process hands over beyond it is no thumbnail. */
export const THUMBNAIL_MAX_BYTES = 200_000
