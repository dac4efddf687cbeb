import { type AmbiguousFile, formOf, makeSmallPage, say, SQUARE, streamOf } from './ambiguous-file.ts'

const stamp = (entries: string, subtype = 'Stamp'): string =>
  `<< /Type /Annot /Subtype /${subtype} /Rect [0 0 200 200] /F 4 ${entries} >>`

const withStamp = (annotation: string, more: string[] = [], catalog = ''): Buffer =>
  makeSmallPage({ content: say('Page', 20), page: '/Annots [6 0 R]', more: [annotation, ...more], catalog })

const GLYPHS =
  '<< /Type /Font /Subtype /Type3 /FontBBox [0 0 10 10] /FontMatrix [.1 0 0 .1 0 0] /FirstChar 65 /LastChar 66 ' +
  '/Widths [10 10] /Encoding << /Differences [65 /a /b] >> /CharProcs << /a 7 0 R /b 8 0 R >> /Resources << >> >>'

/** Text, operators, forms and annotations: readers make other things of the same content. */
export const AMBIGUOUS_CONTENT: readonly AmbiguousFile[] = [
  {
    title: 'Letters that are to be read otherwise than drawn are drawn alike',
    why: 'Searching and copying go by ToUnicode, the picture by the font (9.10.2).',
    bytes: makeSmallPage({
      content: 'BT /F2 60 Tf 20 80 Td (A) Tj ET',
      resources: '/Font << /F1 5 0 R /F2 6 0 R >>',
      more: [
        '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 7 0 R >>',
        streamOf(
          '/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapType 2 def 1 begincodespacerange <00> <FF> endcodespacerange ' +
            '1 beginbfchar <41> <0042> endbfchar endcmap end end',
        ),
      ],
    }),
    outcome: { words: 'B' },
  },
  {
    title: 'A font that is not there, with letters renamed, shows the names',
    why: 'Readers choose another font, and some forget the renaming (9.6.5).',
    bytes: makeSmallPage({
      content: 'BT /F2 24 Tf 20 100 Td (AB) Tj ET',
      resources: '/Font << /F1 5 0 R /F2 6 0 R >>',
      more: [
        '<< /Type /Font /Subtype /Type1 /BaseFont /Unheard-Bold /FirstChar 65 /LastChar 66 /Widths [2000 2000] /Encoding << /Differences [65 /W /i] >> ' +
          '/FontDescriptor << /Type /FontDescriptor /FontName /Unheard-Bold /Flags 32 /ItalicAngle 0 /Ascent 700 /Descent -200 /StemV 80 /CapHeight 700 /FontBBox [0 -200 1000 900] >> >>',
      ],
    }),
    outcome: { words: 'Wi' },
  },
  {
    title: 'Colours in a glyph that says it has none are passed over',
    why: 'A glyph after d1 takes the colour of the text; some readers draw its own (9.6.4).',
    bytes: makeSmallPage({
      content: 'BT 0 g /F2 80 Tf 20 80 Td (AB) Tj ET',
      resources: '/Font << /F2 6 0 R >>',
      more: [GLYPHS, streamOf('10 0 0 0 10 10 d1 1 0 0 rg 0 0 8 8 re f'), streamOf('10 0 d0 0 0 1 rg 0 0 8 8 re f')],
    }),
    outcome: { words: 'ab' },
  },
  {
    title: 'A glyph whose box is too small, or that says nothing about itself, is drawn alike',
    why: 'Some readers clip to the box of d1, and a glyph without d0 and d1 has colours or not (9.6.4).',
    bytes: makeSmallPage({
      content: 'BT 0 g /F2 80 Tf 20 80 Td (AB) Tj ET',
      resources: '/Font << /F2 6 0 R >>',
      more: [GLYPHS, streamOf('1 0 0 rg 0 0 8 8 re f'), streamOf('10 0 0 0 4 4 d1 0 0 8 8 re f')],
    }),
    outcome: { words: 'ab' },
  },
  {
    title: 'Tiny words are there for every reader, and nobody sees them',
    why: 'Half a point is no ink on a screen and a word for those who extract (9.3).',
    bytes: makeSmallPage({ content: 'BT /F1 .5 Tf 20 100 Td (FAILED) Tj ET' }),
    outcome: { words: 'FAILED' },
  },
  {
    title: 'White words on white paper are there for every reader, and nobody sees them',
    why: 'Extractors print what no viewer shows (9.4).',
    bytes: makeSmallPage({ content: `1 g ${say('FAILED')}` }),
    outcome: { words: 'FAILED' },
  },
  {
    title: 'Words drawn without ink are there for every reader, and nobody sees them',
    why: 'Render mode 3 is how scans carry their words (9.3.6).',
    bytes: makeSmallPage({ content: `3 Tr ${say('FAILED')}` }),
    outcome: { words: 'FAILED' },
  },
  {
    title: 'Words that clip let the same paint through',
    why: 'The clip counts from the end of the text object; some readers forget it (9.3.6).',
    bytes: makeSmallPage({ content: 'BT 7 Tr /F1 150 Tf 20 60 Td (II) Tj ET 0 g 0 0 200 200 re f' }),
    outcome: { words: 'II' },
  },
  {
    title: 'A text object that clips and is never closed lets the same through',
    why: 'Whether the clip ever counts is left open (9.4.1).',
    bytes: makeSmallPage({ content: 'BT 7 Tr /F1 150 Tf 20 60 Td (II) Tj 0 g 0 0 200 200 re f' }),
    outcome: { words: 'II' },
  },
  {
    title: 'Content cut inside of a number, so that an operator has one too many, is not copied',
    why: 'Streams of a page are divided between words; some readers glue them (7.8.2).',
    bytes: makeSmallPage({
      content: `${say('Before', 150)} 0 g 20 20 16`,
      page: '/Contents [4 0 R 6 0 R]',
      more: [streamOf(`0 60 re f ${say('After', 100)}`)],
    }),
    outcome: 'unlike',
  },
  {
    title: 'An image among operators whose data hold its end mark is not copied',
    why: 'Where the data end is a guess (8.9.7).',
    bytes: makeSmallPage({
      content: `q 160 0 0 80 20 20 cm BI /W 8 /H 2 /BPC 8 /CS /G ID \x00\x00\x00 EI 0 \x00\xff\xff\xff EI Q \nEI Q ${say('After', 150)}`,
    }),
    outcome: 'unlike',
  },
  {
    title: 'Letters for the data of an image among operators that have no end of their own are not copied',
    why: 'Some readers draw what there is, PDFium nothing (7.4.3, 8.9.7).',
    bytes: makeSmallPage({
      content: `q 100 0 0 100 50 50 cm BI /W 4 /H 4 /BPC 8 /CS /G /F [/A85] ID 5sdq,77Kd<8P2WL9hnJ? EI Q ${say('After', 20)}`,
    }),
    outcome: 'unlike',
  },
  {
    title: 'Letters for the data of an image among operators that end where they say are drawn alike',
    why: 'They hold no end mark of the image (7.4.3, 8.9.7).',
    bytes: makeSmallPage({
      content: `q 100 0 0 100 50 50 cm BI /W 4 /H 4 /BPC 8 /CS /G /F /A85 ID 5sdq,77Kd<8P2WL9hnJ?~> EI Q ${say('After', 20)}`,
    }),
    outcome: { words: 'After' },
  },
  {
    title: 'Letters for the data of an image among operators that look like its end mark are data to every reader',
    why: 'They have an end of their own, which all read up to (7.4.3, 8.9.7).',
    bytes: makeSmallPage({
      content: `q 100 0 0 100 50 50 cm BI /W 4 /H 4 /BPC 8 /CS /G /F /A85 ID 5sdEI\n,77Kd<8P2WL9hnJ?~> EI Q ${say('After', 20)}`,
    }),
    outcome: { words: 'After' },
  },
  {
    title: 'Letters for the data of an image among operators that tells its width twice are not copied',
    why: 'Which of two equal keys counts is left open (7.3.7, 8.9.7).',
    bytes: makeSmallPage({
      content: `q 100 0 0 100 50 50 cm BI /W 4 /W 2 /H 4 /BPC 8 /CS /G /F /A85 ID 5sdq,77Kd<8P2WL9hnJ?~> EI Q ${say('After', 20)}`,
    }),
    outcome: 'unlike',
  },
  {
    title: 'Words behind an end mark among the letters for the data of an image among operators are not copied',
    why: 'PDFium alone ends the image there (7.4.3, 8.9.7).',
    bytes: makeSmallPage({
      content: `q 100 0 0 40 50 50 cm BI /W 6 /H 6 /BPC 8 /CS /G /F [/A85] ID 5sdaa\nEI Q ${say('PASSED', 150)} \n~>\nEI Q ${say('After', 20)}`,
    }),
    outcome: 'unlike',
  },
  {
    title: 'Words hidden in the packed data of an image among operators are not copied',
    why: 'The length of packed data is known to who unpacks them, others look for the end mark (8.9.7).',
    bytes: makeSmallPage({
      content: `q 100 0 0 40 20 20 cm BI /W 60 /H 1 /BPC 8 /CS /G /F /RL ID \x3b${`\nEI Q ${say('PASSED', 150)} `.padEnd(60)}\x80\nEI Q ${say('FAILED', 100)}`,
    }),
    outcome: 'unlike',
  },
  {
    title: 'Words hidden in the data of an image among operators are not copied',
    why: 'Who believes the first end mark shows what follows it as text (8.9.7).',
    bytes: makeSmallPage({
      content: `q 100 0 0 40 20 20 cm BI /W 60 /H 1 /BPC 8 /CS /G ID ${`\nEI Q ${say('PASSED', 150)} `.padEnd(60)}\nEI Q ${say('FAILED', 100)}`,
    }),
    outcome: 'unlike',
  },
  {
    title: 'States and text objects that are not paired draw the same',
    why: 'A text object in another, a state saved and restored in one, more restored than saved at the end (8.4.2, 9.4.1).',
    bytes: makeSmallPage({
      content: 'BT /F1 24 Tf 20 150 Td (One) Tj q BT 20 100 Td (Two) Tj Q 1 0 0 1 20 50 Tm (Three) Tj ET ET q Q Q Q',
    }),
    outcome: { words: 'One Two Three' },
  },
  {
    title: 'Forms nested forty deep are not copied',
    why: 'Readers stop at depths of their own (8.10).',
    bytes: makeSmallPage({
      content: '/Fm Do',
      resources: '/XObject << /Fm 6 0 R >>',
      more: Array.from({ length: 40 }, (_, i) =>
        i === 39 ? formOf(SQUARE) : formOf('/Fm Do', '', `/Resources << /XObject << /Fm ${7 + i} 0 R >> >>`),
      ),
    }),
    outcome: 'unlike',
  },
  {
    title: 'Forms nested forty-five deep that draw with the resources of the page are not copied',
    why: 'Readers stop at depths of their own, whatever resources a form has (8.10, 7.8.3).',
    bytes: makeSmallPage({
      content: `/X0 Do ${SQUARE}`,
      resources: `/XObject << ${Array.from({ length: 45 }, (_, i) => `/X${i} ${6 + i} 0 R`).join(' ')} >>`,
      more: Array.from({ length: 45 }, (_, i) => formOf(i === 44 ? say('Deep', 170) : `/X${i + 1} Do`, '', '')),
    }),
    outcome: 'unlike',
  },
  {
    title: 'Forms whose resources name all those before them are no deeper than what they draw',
    why: 'TeX names every form that it has written so far (7.8.3).',
    bytes: makeSmallPage({
      content: '/X0 Do /X44 Do',
      resources: '/XObject << /X0 6 0 R /X44 50 0 R >>',
      more: Array.from({ length: 45 }, (_, i) => {
        const before = Array.from({ length: i }, (_none, k) => `/X${k} ${6 + k} 0 R`).join(' ')
        return formOf(say(`Form${i}`, 4 * i), '', `/Resources << /Font << /F1 5 0 R >> /XObject << ${before} >> >>`)
      }),
    }),
    outcome: { words: 'Form0 Form44' },
  },
  {
    title: 'Forms that draw each other in a circle are not copied',
    why: 'Each reader breaks the circle where it notices (8.10).',
    bytes: makeSmallPage({
      content: `/Fm Do ${SQUARE}`,
      resources: '/XObject << /Fm 6 0 R >>',
      more: [
        formOf(`/Fm Do ${say('One')}`, '', '/Resources << /Font << /F1 5 0 R >> /XObject << /Fm 7 0 R >> >>'),
        formOf(`/Fm Do ${say('Two', 50)}`, '', '/Resources << /Font << /F1 5 0 R >> /XObject << /Fm 6 0 R >> >>'),
      ],
    }),
    outcome: 'unlike',
  },
  {
    title: 'A form without resources draws with those of the page',
    why: 'Obsolete since PDF 1.2; some readers find nothing (7.8.3).',
    bytes: makeSmallPage({
      content: '/Fm Do',
      resources: '/XObject << /Fm 6 0 R /Im 7 0 R >>',
      more: [
        formOf(`${say('Inside')} q 40 0 0 40 20 20 cm /Im Do Q`, '', ''),
        streamOf(
          '\x00',
          '/Type /XObject /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceGray',
        ),
      ],
    }),
    outcome: { words: 'Inside' },
  },
  {
    title: 'Resources with names that mean something elsewhere are kept',
    why: 'A font may be called as an action or a layer is; who leaves those out must not leave out these (7.8.3).',
    bytes: makeSmallPage({
      content: 'BT /AA 24 Tf 20 150 Td (Font) Tj ET /OC Do /JS gs /AF Do 0 0 20 20 re f /EF sh',
      resources:
        '/Font << /AA 5 0 R >> /XObject << /OC 6 0 R /AF 6 0 R >> /ExtGState << /JS << /ca 0.5 >> >> /Shading << /EF 7 0 R >>',
      more: [
        formOf('0 g 100 20 80 80 re f'),
        '<< /ShadingType 2 /ColorSpace /DeviceRGB /Coords [20 0 90 0] /Function << /FunctionType 2 /Domain [0 1] /C0 [1 0 0] /C1 [0 0 1] /N 1 >> >>',
      ],
    }),
    outcome: { words: 'Font' },
  },
  {
    title: 'Names written with escapes are the names they mean',
    why: 'Who compares them as written finds nothing (7.3.5).',
    bytes: makeSmallPage({
      content: `BT /F#32 24 Tf 20 150 Td (Font) Tj ET /#46m Do /S#68 gs`,
      resources: '/F#6fnt << /F2 5 0 R >> /XObject << /Fm 6 0 R >> /ExtGState << /Sh << /ca 1 >> >>',
      more: [formOf('0 g 20 20 80 80 re f')],
    }),
    outcome: { words: 'Font' },
  },
  {
    title: 'An annotation in a state that it has no picture of shows nothing',
    why: 'Readers show the first picture, or none (12.5.5).',
    bytes: withStamp(stamp('/AS /Gone /AP << /N << /On 7 0 R >> >>'), [formOf(say('PASSED'))]),
    outcome: { words: 'Page' },
  },
  {
    title: 'A tick whose value and state differ shows the state',
    why: 'The value says On, the state Off, and readers believe one of them (12.7.5.2.3).',
    bytes: withStamp(
      stamp('/FT /Btn /T (a) /V /On /AS /Off /AP << /N << /On 7 0 R /Off 8 0 R >> >>', 'Widget'),
      [formOf(say('TICKED')), formOf(say('EMPTY'))],
      '/AcroForm << /Fields [6 0 R] >>',
    ),
    outcome: { words: 'Page EMPTY' },
  },
  {
    title: 'A picture for the mouse over it, or pressed on it, is left out',
    why: 'Readers show it where there is a mouse (12.5.5).',
    bytes: withStamp(stamp('/AP << /N 7 0 R /R 8 0 R /D 8 0 R >>'), [formOf(say('NORMAL')), formOf(say('OTHER'))]),
    outcome: { words: 'Page NORMAL' },
  },
  {
    title: 'A calculated field shows its picture, not what its program would say',
    why: 'Readers that run programs show another value (12.7.6.3).',
    bytes: withStamp(
      stamp(
        '/FT /Tx /T (a) /V (7) /AA << /C << /S /JavaScript /JS (event.value = 8) >> >> /AP << /N 7 0 R >>',
        'Widget',
      ),
      [formOf(say('SEVEN'))],
      '/AcroForm << /Fields [6 0 R] /CO [6 0 R] /DA (/F1 12 Tf 0 g) /DR << /Font << /F1 5 0 R >> >> >>',
    ),
    outcome: { words: 'Page SEVEN' },
  },
  {
    title: 'A field with rich text beside its value shows its picture',
    why: 'Readers that know rich text show that instead (12.7.4.4).',
    bytes: withStamp(
      stamp('/FT /Tx /T (a) /Ff 33554432 /V (PLAIN) /RV (<body><p>RICH</p></body>) /AP << /N 7 0 R >>', 'Widget'),
      [formOf(say('PICTURE'))],
      '/AcroForm << /Fields [6 0 R] /DA (/F1 12 Tf 0 g) /DR << /Font << /F1 5 0 R >> >> >>',
    ),
    outcome: { words: 'Page PICTURE' },
  },
  ...(
    [
      ['Popup', 'Page SEEN'],
      ['FileAttachment', 'Page SEEN'],
      ['Watermark', 'Page SEEN'],
      ['PrinterMark', 'Page SEEN'],
      ['TrapNet', 'Page SEEN'],
    ] as const
  ).map(([kind, words]) => ({
    title: `The picture of an annotation of kind ${kind} is shown to all or to nobody`,
    why: 'Some kinds are for printing, or have windows of their own in some readers (12.5.6).',
    bytes: withStamp(stamp('/FixedPrint << /Type /FixedPrint >> /AP << /N 7 0 R >>', kind), [formOf(say('SEEN'))]),
    outcome: { words },
  })),
  {
    title: 'Layers in places that nobody expects hide or show alike',
    why: 'Readers look for them at forms and marks, not at images, patterns and annotations’ pictures (8.11.3).',
    bytes: makeSmallPage({
      content: 'q 60 0 0 60 20 20 cm /Im Do Q /Pattern cs /P1 scn 100 20 80 60 re f',
      resources: '/XObject << /Im 7 0 R >> /Pattern << /P1 8 0 R >>',
      catalog: '/OCProperties << /OCGs [6 0 R] /D << /OFF [6 0 R] >> >>',
      page: '/Annots [9 0 R]',
      more: [
        '<< /Type /OCG /Name (Off) >>',
        streamOf(
          '\x00',
          '/Type /XObject /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceGray /OC 6 0 R',
        ),
        streamOf(
          '/OC /L BDC 0 g 0 0 10 20 re f EMC',
          '/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 20 20] /XStep 20 /YStep 20 /Resources << /Properties << /L 6 0 R >> >>',
        ),
        stamp('/AP << /N 10 0 R >>'),
        formOf(say('SEEN'), '/OC 6 0 R'),
      ],
    }),
    outcome: { words: 'SEEN' },
  },
  {
    title: 'Paint within an array of text and after a broken string is drawn alike',
    why: 'A string that is never closed swallows what comes, up to where a reader gives up (7.3.4.2).',
    bytes: makeSmallPage({ content: `${say('Before', 150)} BT /F1 24 Tf 20 100 Td (never closed Tj ET ${SQUARE}` }),
    outcome: { words: 'Before' },
  },
]
