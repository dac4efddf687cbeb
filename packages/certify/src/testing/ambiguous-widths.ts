import { deflateSync } from 'node:zlib'
import { type AmbiguousFile, makeSmallPage, streamOf } from './ambiguous-file.ts'
import { COMPACT_FONT } from './compact-font.ts'

/** Text in an embedded font of the codes 65 to 70. */
const withWidths = (widths: string, descriptor = '', text = '(FADE)'): Buffer =>
  makeSmallPage({
    content: `BT /F2 40 Tf 20 100 Td ${text} Tj ET`,
    resources: '/Font << /F2 6 0 R >>',
    more: [
      `<< /Type /Font /Subtype /Type1 /BaseFont /Serif ${widths} /Encoding /WinAnsiEncoding /FontDescriptor 7 0 R >>`,
      `<< /Type /FontDescriptor /FontName /Serif /FontBBox [0 -200 1000 900] /ItalicAngle 0 /Ascent 900 /Descent -200 ` +
        `/CapHeight 700 /StemV 80 /Flags 32 ${descriptor} /FontFile3 8 0 R >>`,
      streamOf(deflateSync(COMPACT_FONT).toString('latin1'), '/Subtype /Type1C /Filter /FlateDecode'),
    ],
  })

const SIX = '[700 700 700 700 700 700]'

/** Letters of simple fonts, whose widths say where what follows stands. */
export const AMBIGUOUS_WIDTHS: readonly AmbiguousFile[] = [
  ...['/LastChar 66', '/LastChar 0', '/LastChar 30', '/LastChar -1', '/LastChar (F)', ''].map(
    (last): AmbiguousFile => ({
      title: `Letters have the widths that are listed, with ${last || 'no last code'}`,
      why: 'Others go by the last code, and set letters behind it on each other (9.6.2.1).',
      bytes: withWidths(`/FirstChar 65 ${last} /Widths ${SIX}`),
      outcome: { words: 'FADE' },
    }),
  ),
  {
    title: 'Widths that are listed from a code below zero on count from there',
    why: 'PDFium passes over the whole list (9.6.2.1).',
    bytes: withWidths(`/FirstChar -5 /LastChar 80 /Widths [${'700 '.repeat(86)}]`),
    outcome: { words: 'FADE' },
  },
  {
    title: 'A width that is no number is the one of letters that have none',
    why: 'PDFium takes nothing for it (9.6.2.1, 9.8.1).',
    bytes: withWidths('/FirstChar 65 /LastChar 70 /Widths [700 /A null 700 (x) 700]', '/MissingWidth 650'),
    outcome: { words: 'FADE' },
  },
  {
    title: 'Letters have whole thousandths for widths, so that a long text ends in one place',
    why: 'PDFium cuts off fractions (9.6.2.1).',
    bytes: withWidths(
      `/FirstChar 32 /LastChar 70 /Widths [0.9 ${'700 '.repeat(38)}]`,
      '',
      `(${' '.repeat(2000)}) Tj (FED)`,
    ),
    outcome: { words: 'FED' },
    isChanged: true,
  },
  {
    title: 'A negative width, and one of letters that have none, is nothing',
    why: 'PDFium takes widths modulo 65,536, and others go back (9.6.2.1, 9.8.1).',
    bytes: withWidths(
      '/FirstChar 65 /LastChar 69 /Widths [700 700 700 700 -700]',
      '/MissingWidth -400',
      '(D) Tj 60 0 Td (E)',
    ),
    outcome: { words: 'D E' },
  },
  ...['[700 700 700 70000 700 700]', '[700 700 700 32768 700 700]'].map((widths): AmbiguousFile => ({
    title: `Letters with the widths ${widths} are not copied`,
    why: 'PDFium takes widths modulo 65,536 (9.6.2.1).',
    bytes: withWidths(`/FirstChar 65 /LastChar 70 /Widths ${widths}`),
    outcome: 'unlike',
  })),
  {
    title: 'Widths that are listed from no whole code on are not copied',
    why: 'The reviewer’s reader finds none of them (9.6.2.1).',
    bytes: withWidths('/FirstChar 64.5 /LastChar 70 /Widths [700 700 700 700 700 700 700]'),
    outcome: 'unlike',
  },
  ...['', '/FirstChar 65 /LastChar 70 /Widths 700'].map((widths): AmbiguousFile => ({
    title: `Letters of an embedded font with ${widths || 'no widths'} are not copied`,
    why: 'Some readers take the widths of its program, some those of a usual font of its name (9.6.2.1).',
    bytes: withWidths(widths),
    outcome: 'unlike',
  })),
]
