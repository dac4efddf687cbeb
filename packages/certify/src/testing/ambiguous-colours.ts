import { type AmbiguousFile, formOf, makeSmallPage, SQUARE, say, streamOf } from './ambiguous-file.ts'
import { INVERTED_GREY, makeProfile } from './colour-profile.ts'

const profile = makeProfile({ space: 'GRAY', tags: INVERTED_GREY }).toString('latin1')

const PALETTE = '/C [/Indexed /DeviceRGB 1 <FFFF00FF0000>]'
const AREA = '40 40 120 120 re f'

/** Letters drawn by operators; the gradient P1 and a form of theirs stand beside them. */
const DRAWN =
  '<< /Type /Font /Subtype /Type3 /FontBBox [0 0 200 200] /FontMatrix [1 0 0 1 0 0] /FirstChar 97 /LastChar 97 /Widths [200] ' +
  '/Encoding << /Differences [97 /a] >> /CharProcs << /a 8 0 R >>'

const colour = (title: string, why: string, page: Parameters<typeof makeSmallPage>[0]): AmbiguousFile => ({
  title: `${title} is not copied`,
  why,
  bytes: makeSmallPage(page),
  outcome: 'unlike',
})

/** Colour profiles, which the reviewer's reader passes over and others heed, and colours that readers make up. */
export const AMBIGUOUS_COLOURS: readonly AmbiguousFile[] = [
  ...['q /Pattern cs /Nope scn Q', '/Pattern CS /Nope SCN', '/Pattern cs /P1 scn'].map((choice) =>
    colour(`A pattern that is not there, by ${choice},`, 'The reviewer’s reader ends at it (8.7).', {
      content: `${choice} ${SQUARE}`,
      resources: '/Pattern << /P1 << /PatternType 9 >> >>',
    }),
  ),
  colour('A space of colours that is not there', 'The reviewer’s reader paints white, others the colour (8.6).', {
    content: `/Nope cs 1 0 0 sc ${AREA}`,
  }),
  colour(
    'A page that begins with colours of another space',
    'At first it is grey; readers take one figure or all (8.4.2).',
    {
      content: `1 1 1 sc ${AREA}`,
    },
  ),
  colour(
    'A form with colours of another space than is chosen where it is drawn',
    'It begins with what is chosen (8.10).',
    {
      content: '/DeviceRGB cs 0 0 0 sc /Fm Do',
      resources: '/XObject << /Fm 6 0 R >>',
      more: [formOf(`1 sc ${AREA}`)],
    },
  ),
  {
    title: 'A form with colours of the space that is chosen where it is drawn shows them',
    why: 'It begins with what is chosen (8.10).',
    bytes: makeSmallPage({
      content: '/DeviceRGB cs 0 0 0 sc /Fm Do',
      resources: '/XObject << /Fm 6 0 R >>',
      more: [formOf(`0 0 1 sc ${AREA}`)],
    }),
  },
  colour('A place beyond a palette in a form without resources', 'It has those of the page for readers (7.8.3).', {
    content: '/Fm Do',
    resources: `/XObject << /Fm 6 0 R >> /ColorSpace << ${PALETTE} >>`,
    more: [formOf(`/C cs 7 sc ${AREA}`, '', '')],
  }),
  {
    title: 'A form without resources has those of the page',
    why: 'So do readers, though it is not allowed any longer (7.8.3).',
    bytes: makeSmallPage({
      content: '/Fm Do',
      resources: `/XObject << /Fm 6 0 R >> /ColorSpace << ${PALETTE} >>`,
      more: [formOf(`/C cs 1 sc ${AREA}`, '', '')],
    }),
  },
  colour(
    'A drawn letter that is a picture with the resources of one of two fonts',
    'It is drawn with those of the other (9.6.4).',
    {
      content: 'BT /T3 1 Tf (a) Tj ET',
      resources: '/Font << /T3 6 0 R /Decoy 7 0 R >>',
      more: [
        `${DRAWN} /Resources << /XObject << /Im 9 0 R >> >> >>`,
        `${DRAWN} /Resources << /XObject << /Im 10 0 R >> >> >>`,
        streamOf('200 0 0 0 200 200 d1 q 100 0 0 100 20 20 cm /Im Do Q'),
        streamOf(
          '\x00',
          '/Type /XObject /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceGray',
        ),
        streamOf('\x00', '/Type /XObject /Subtype /Image /Width 1 /Height 1 /ImageMask true'),
      ],
    },
  ),
  colour(
    'A drawn letter with the pattern that is chosen where its form is drawn',
    'Each reader fills it in its own way (9.6.4).',
    {
      content: '/Pattern cs /P1 scn /Fm Do',
      resources: '/XObject << /Fm 7 0 R >> /Pattern << /P1 << /PatternType 2 /Shading 9 0 R >> >>',
      more: [
        `${DRAWN} /Resources << >> >>`,
        formOf('BT /T3 1 Tf (a) Tj ET', '', '/Resources << /Font << /T3 6 0 R >> >>'),
        streamOf('200 0 0 0 200 200 d1 20 20 100 100 re f'),
        '<< /ShadingType 2 /ColorSpace /DeviceRGB /Coords [0 0 200 0] /Function << /FunctionType 2 /Domain [0 1] /C0 [1 0 0] /C1 [0 0 1] /N 1 >> >>',
      ],
    },
  ),
  {
    title: 'A calibrated space in the place of a profile is shown without a curve of no device',
    why: 'Some readers calculate with it, some take the values of the device (8.6.5).',
    bytes: makeSmallPage({
      content: 'q 160 0 0 160 20 20 cm /Im Do Q',
      resources: '/XObject << /Im 6 0 R >>',
      more: [
        streamOf(
          '\x80\x80\x80',
          '/Type /XObject /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8 /ColorSpace [/ICCBased 7 0 R]',
        ),
        streamOf('no profile', '/N 3 /Alternate [/CalRGB << /WhitePoint [0.9505 1 1.089] /Gamma [60 60 60] >>]'),
      ],
    }),
    isChanged: true,
  },
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
