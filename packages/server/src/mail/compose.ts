import { sayEnglish, splitEnglish } from '@proofdesk/contract/messages'
import { closeIsolates, isolate } from './foreign-text.ts'
import type { ComposeConfig, ComposedPictures, MailContent, MailSentence } from './mail-content.ts'
import type { Mail } from './mailer.ts'
import { drawMark, drawProofFigure } from './rosette-picture.ts'
import { writeHtml } from './write-html.ts'

/** Writes one mail twice, as text and as HTML, with the pictures that the HTML shows. */
export function composeMail(config: ComposeConfig, content: MailContent): Omit<Mail, 'to'> {
  const pictures = drawPictures(content)
  return {
    subject: sayPlainly(content.subject),
    text: writeText(config, content),
    html: writeHtml(config, content, pictures),
    pictures: Object.values(pictures),
  }
}

function drawPictures({ figure }: MailContent): ComposedPictures {
  const mark = { id: 'mark', name: 'mark.png', png: drawMark(), alt: sayEnglish('product_name') }
  if (!figure) return { mark }
  const alt = sayEnglish('mail_figure_alt', { proofid: figure.proofId })
  return { mark, figure: { id: 'figure', name: 'figure.png', png: drawProofFigure(figure.proofId), alt } }
}

function writeText(
  config: ComposeConfig,
  { heading, greetingName, paragraphs, facts = [], quote, action, closing }: MailContent,
): string {
  const blocks = [heading, sayPlainly(splitEnglish('mail_greeting', { name: greetingName }))]
  blocks.push(...paragraphs.map(sayPlainly))
  if (facts.length > 0) blocks.push(facts.map(({ name, value }) => `${name}: ${isolate(value)}`).join('\n'))
  if (quote) blocks.push(quote.split('\n').map(quoteLine).join('\n'))
  if (action) blocks.push(`${action.label}:\n${action.url}`)
  if (closing) blocks.push(closing)
  const signature = sayPlainly(splitEnglish('mail_signature', { organisation: config.organisation }))
  // Where a link stands above, its address says the same; filters count how often it is said, here and in the HTML.
  blocks.push(['-- ', signature, ...(action ? [] : [config.publicUrl])].join('\n'))
  return `${blocks.join('\n\n')}\n`
}

/** A line is a paragraph of its own to the bidirectional algorithm: nothing left open in it reaches the next. */
function quoteLine(line: string): string {
  return `> ${closeIsolates(line.replace(/\r$/, ''))}`
}

function sayPlainly(sentence: MailSentence): string {
  if (typeof sentence === 'string') return sentence
  return sentence.map(({ text, isValue }) => (isValue ? isolate(text) : text)).join('')
}
