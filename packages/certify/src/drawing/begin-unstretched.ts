/** As far as a look tells; words in strings are among them. */
const STRETCH = /(?:^|[\s\0])([-+.\d]+)[\s\0]+Tz(?=[\s\0/([<]|$)/g
const LETTERS = /T[jJ]|['"]/
const USUAL = 100

/** Whether letters are stretched or squeezed anywhere in it. */
export const isStretching = (content: string): boolean =>
  [...content.matchAll(STRETCH)].some(([, figure]) => Number(figure) !== USUAL)

/**
 * Has the letters of a form as wide as their font says until the form says otherwise. In PDFium they are; others stretch them as was chosen where
 * the form is drawn (ISO 32000-2 section 8.10.1).
 * @returns undefined where it has no letters.
 */
export function beginUnstretched(content: Buffer): Buffer | undefined {
  if (!LETTERS.test(content.toString('latin1'))) return undefined
  return Buffer.concat([Buffer.from(`${USUAL} Tz\n`), content])
}
