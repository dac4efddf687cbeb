/** Points from the page's lower left corner; A4 is 595 by 842. */
export interface PdfPen {
  text(x: number, y: number, size: number, words: string, face?: Face): void
  /** The middle of the words stands at `x`. */
  centred(x: number, y: number, size: number, words: string, face?: Face): void
  /** Broken into lines of about `width`. @returns the height below the last line. */
  paragraph(x: number, y: number, size: number, width: number, words: string): number
  line(x1: number, y1: number, x2: number, y2: number, width?: number): void
  box(x: number, y: number, width: number, height: number, lineWidth?: number): void
  /** Red, green and blue from 0 to 1, from here on. */
  ink(red: number, green: number, blue: number): void
}

/** Standard fonts, which every reader has (ISO 32000-2, 9.6.2.2). */
const FACES = { sans: 'Helvetica', bold: 'Helvetica-Bold', serif: 'Times-Roman', italic: 'Times-Italic' } as const
type Face = keyof typeof FACES

/** A PDF of text and lines; `pages` draw one each. Characters of Latin-1 only. */
export function drawPdf(title: string, pages: ((pen: PdfPen) => void)[]): Buffer {
  const fontNames = Object.keys(FACES) as Face[]
  const fonts = fontNames.map((face, at) => `/${face} ${4 + at} 0 R`).join(' ')
  const firstPage = 4 + fontNames.length
  const kids = pages.map((_, at) => `${firstPage + 2 * at} 0 R`)
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pages.length} /Kids [${kids.join(' ')}] >>`,
    `<< /Title ${quote(title)} >>`,
    ...fontNames.map(
      (face) => `<< /Type /Font /Subtype /Type1 /BaseFont /${FACES[face]} /Encoding /WinAnsiEncoding >>`,
    ),
  ]
  pages.forEach((draw, at) => {
    const content = recordContent(draw)
    const contentId = firstPage + 2 * at + 1
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << ${fonts} >> >> /Contents ${contentId} 0 R >>`,
      `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    )
  })
  return writeFile(objects)
}

function recordContent(draw: (pen: PdfPen) => void): string {
  const operators: string[] = []
  const pen: PdfPen = {
    text: (x, y, size, words, face = 'sans') =>
      void operators.push(`BT /${face} ${size} Tf ${x.toFixed(1)} ${y.toFixed(1)} Td ${quote(words)} Tj ET`),
    centred: (x, y, size, words, face = 'serif') => pen.text(x - measure(words, size) / 2, y, size, words, face),
    paragraph: (x, y, size, width, words) => {
      let lineY = y
      for (const line of breakLines(words, size, width)) {
        pen.text(x, lineY, size, line, 'serif')
        lineY -= size * 1.4
      }
      return lineY
    },
    line: (x1, y1, x2, y2, width = 0.7) => void operators.push(`${width} w ${x1} ${y1} m ${x2} ${y2} l S`),
    box: (x, y, width, height, lineWidth = 0.7) =>
      void operators.push(`${lineWidth} w ${x} ${y} ${width} ${height} re S`),
    ink: (...rgb) => void operators.push(`${rgb.join(' ')} rg ${rgb.join(' ')} RG`),
  }
  draw(pen)
  return operators.join('\n')
}

/** About how wide the words are: near enough for the middle of a line. */
function measure(words: string, size: number): number {
  let ems = 0
  for (const letter of words) {
    if (/[ijlt.,:;'|! ()]/.test(letter)) ems += 0.28
    else if (/[mwMW]/.test(letter)) ems += 0.82
    else ems += /[A-Z0-9]/.test(letter) ? 0.62 : 0.46
  }
  return ems * size
}

function breakLines(words: string, size: number, width: number): string[] {
  const lines = ['']
  for (const word of words.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`.trim()
    if (measure(longer, size) <= width) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines
}

function quote(words: string): string {
  return `(${words.replaceAll(/[\\()]/g, String.raw`\$&`)})`
}

function writeFile(objects: string[]): Buffer {
  let body = '%PDF-1.7\n%\xe2\xe3\xcf\xd3\n'
  let table = '0000000000 65535 f \n'
  objects.forEach((object, at) => {
    table += `${String(body.length).padStart(10, '0')} 00000 n \n`
    body += `${at + 1} 0 obj\n${object}\nendobj\n`
  })
  const size = objects.length + 1
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R /Info 3 0 R >>\nstartxref\n${body.length}\n%%EOF\n`
  return Buffer.from(`${body}xref\n0 ${size}\n${table}${trailer}`, 'latin1')
}
