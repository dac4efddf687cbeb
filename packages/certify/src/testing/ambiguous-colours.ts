import { type AmbiguousFile, makeSmallPage, say, streamOf } from './ambiguous-file.ts'
import { INVERTED_GREY, makeProfile } from './colour-profile.ts'

const profile = makeProfile({ space: 'GRAY', tags: INVERTED_GREY }).toString('latin1')

/** Colour profiles, which the reviewer's reader passes over and others heed. */
export const AMBIGUOUS_COLOURS: readonly AmbiguousFile[] = [
  {
    title: 'A profile that shows black as white is left out of a document',
    why: 'Readers may take the alternate space in the place of a profile (8.6.5.5).',
    bytes: makeSmallPage({
      content: `/Dark cs 0 scn ${say('SEEN')} 1 scn 20 20 160 40 re f`,
      resources: '/ColorSpace << /Dark [/ICCBased 6 0 R] >>',
      more: [streamOf(profile, '/N 1')],
    }),
    outcome: { words: 'SEEN' },
  },
]
