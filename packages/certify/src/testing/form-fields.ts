import { makeOnePage } from './odd-pdfs.ts'

/** Text strings as ISO 32000-2 section 7.9.2.2 has them: behind a mark that says which Unicode it is, in hexadecimal digits. */
export const writeUtf16 = (text: string): string =>
  `<${Buffer.from(`\ufeff${text}`, 'utf16le').swap16().toString('hex')}>`
export const writeUtf8 = (text: string): string => `<${Buffer.from(`\ufeff${text}`, 'utf8').toString('hex')}>`

/** What a field says beside where it is, and where, if it matters. */
export interface MadeField {
  says: string
  rect?: string
}

/**
 * A page of fields, one below the other. Objects: 5 is Helvetica, the fields have numbers from 6 on, `more` those that follow.
 * @param options.asked The form asks readers to draw its fields.
 * @param options.fonts Of the form, beside /Helv.
 */
export function makeForm(
  fields: readonly MadeField[],
  options: { asked?: boolean; fonts?: string; more?: string[]; page?: string } = {},
): Buffer {
  const numbers = fields.map((_, i) => `${i + 6} 0 R`).join(' ')
  const asked = options.asked === true ? '/NeedAppearances true' : ''
  return makeOnePage({
    catalog:
      `/AcroForm << ${asked} /Fields [${numbers}] /DA (/Helv 14 Tf 0 g) ` +
      `/DR << /Font << /Helv 5 0 R ${options.fonts ?? ''} >> >> >>`,
    content: '',
    page: `/Annots [${numbers}] ${options.page ?? ''}`,
    more: [
      ...fields.map(
        ({ says, rect }, i) =>
          `<< /Type /Annot /Subtype /Widget /F 4 /T (f${i}) /Rect [${rect ?? `60 ${760 - 30 * i} 400 ${784 - 30 * i}`}] ${says} >>`,
      ),
      ...(options.more ?? []),
    ],
  })
}

/** Text fields by their values, each written as a string of a PDF. */
export const makeTextFields = (values: readonly string[], options?: Parameters<typeof makeForm>[1]): Buffer =>
  makeForm(
    values.map((value) => ({ says: `/FT /Tx /V ${value}` })),
    options,
  )

/** Words written on the page without a picture, one below the other. */
export const makeFreeTexts = (texts: readonly string[]): Buffer =>
  makeOnePage({
    content: '',
    page: `/Annots [${texts.map((_, i) => `${i + 6} 0 R`).join(' ')}]`,
    more: texts.map(
      (text, i) =>
        `<< /Type /Annot /Subtype /FreeText /Rect [60 ${760 - 30 * i} 400 ${784 - 30 * i}] /Contents ${text} /DA (/Helv 14 Tf 0 g) >>`,
    ),
  })
