import { type AmbiguousFile, formOf, makeSmallPage, say } from './ambiguous-file.ts'

const unlike = (title: string, why: string, content: string): AmbiguousFile => ({
  title: `${title} is not copied`,
  why,
  bytes: makeSmallPage({ content }),
  outcome: 'unlike',
})

/** Texts that each reader continues, stretches or reads otherwise. */
export const AMBIGUOUS_TEXTS: readonly AmbiguousFile[] = [
  ...[
    '[(SEEN) [(BY)] (ONE)] TJ',
    '[(SEEN) /By (ONE)] TJ',
    '[(SEEN) << /By 1 >> (ONE)] TJ',
    '[(SEEN) null (ONE)] TJ',
  ].map((text) =>
    unlike(
      `A text of the list ${text}`,
      'PDFium or Ghostscript show nothing of it, or a part (9.4.3).',
      `BT /F1 24 Tf 20 100 Td ${text} ET`,
    ),
  ),
  unlike(
    'A string with other than its digits',
    'Readers take them for digits or end there (7.3.4.3).',
    'BT /F1 24 Tf 20 100 Td <41G2> Tj ET',
  ),
  unlike(
    'A number of hundreds of digits',
    'Ghostscript takes it for another (annex C).',
    `20.${'0'.repeat(300)} w 20 100 m 180 100 l S`,
  ),
  ...['32768 32768 32768 rg', '40000 g', '0 0 0 -40000 k', '/DeviceRGB cs 0 99999 0 sc'].map((colour) =>
    unlike(
      `The colour ${colour}`,
      'Poppler counts on from below, so that white is black (8.6.4).',
      `${colour} 20 20 160 160 re f`,
    ),
  ),
  {
    title: 'A colour of 255 is white',
    why: 'Readers take what lies beyond for the most that there is (8.6.4).',
    bytes: makeSmallPage({ content: `0 g 20 20 160 160 re f 255 255 255 rg 60 60 80 80 re f` }),
  },
  ...['20 20 100 30 re f', '20 20 m 180 20 l S', 'q Q'].map((between) =>
    unlike(
      `A text that goes on behind ${between}`,
      'Poppler goes on where the path ended, or the state was saved (8.2).',
      `BT /F1 24 Tf 20 100 Td (ONE) Tj ${between} (TWO) Tj ET`,
    ),
  ),
  {
    title: 'A text that is placed anew behind a path goes on there',
    why: 'Programs draw lines under words so (8.2).',
    bytes: makeSmallPage({ content: 'BT /F1 24 Tf 20 100 Td (ONE) Tj 20 90 50 4 re f 0 -50 Td (TWO) Tj ET' }),
    outcome: { words: 'ONE TWO' },
  },
  {
    title: 'Letters of a form are as wide as it says, not as was chosen around it',
    why: 'What was squeezed to nothing before the reviewer was to be read in PDFium (9.3.4).',
    bytes: makeSmallPage({
      content: '1 Tz q /Fm Do Q',
      resources: '/XObject << /Fm 6 0 R >>',
      more: [formOf(say('SEEN'))],
    }),
    outcome: { words: 'SEEN' },
    isChanged: true,
  },
  ...['1 Tz q 100 Tz /Fm Do Q', '1 Tz /Fm Do'].map((around, i): AmbiguousFile => ({
    title: `A form whose letters are as wide ${i === 0 ? 'again' : 'as it says'} shows them so, by ${around}`,
    why: 'It takes over nothing that is unusual (9.3.4).',
    bytes: makeSmallPage({
      content: around,
      resources: '/XObject << /Fm 6 0 R >>',
      more: [formOf(`${i === 0 ? '' : '100 Tz'} ${say('SEEN')}`)],
    }),
    outcome: { words: 'SEEN' },
  })),
]
