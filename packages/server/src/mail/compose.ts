import { sayEnglish } from '@proofdesk/contract/messages'
import type { Config } from '../config.ts'
import type { Mail } from './mailer.ts'

/** What a mail says; all of it plain text, made safe for HTML here. */
export interface MailContent {
  subject: string
  heading: string
  greetingName: string
  paragraphs: string[]
  /** Names and values, such as a title or a Proof ID. */
  facts?: { name: string; value: string; isCode?: boolean }[]
  /** Words of another person, set apart. */
  quote?: string
  action?: { label: string; url: string }
  closing?: string
}

/** The look's colours in the notation that mail programs read. */
const PAPER = '#f6f4ee'
const SHEET = '#fffefb'
const LINE = '#dcd8cc'
const INK = '#23262f'
const INK_SOFT = '#5c606b'
const BRAND = '#27408b'

const SERIF = "'Source Serif 4',Georgia,'Times New Roman',serif"
const SANS = "'Instrument Sans','Helvetica Neue',Arial,sans-serif"
const MONO = "'JetBrains Mono',Consolas,monospace"

/** Writes one mail twice, as text and as HTML: tables and inline styles, because mail programs know little else. */
export function composeMail(
  config: Pick<Config, 'organisation' | 'publicUrl'>,
  content: MailContent,
): Omit<Mail, 'to'> {
  const greeting = sayEnglish('mail_greeting', { name: content.greetingName })
  const signature = sayEnglish('mail_signature', { organisation: config.organisation })
  return {
    subject: content.subject,
    text: writeText(config, content, greeting, signature),
    html: writeHtml(config, content, greeting, signature),
  }
}

function writeText(
  config: Pick<Config, 'publicUrl'>,
  { heading, paragraphs, facts = [], quote, action, closing }: MailContent,
  greeting: string,
  signature: string,
): string {
  const blocks = [heading, greeting, ...paragraphs]
  if (facts.length > 0) blocks.push(facts.map(({ name, value }) => `${name}: ${value}`).join('\n'))
  if (quote) blocks.push(quote.replace(/^/gm, '> '))
  if (action) blocks.push(`${action.label}:\n${action.url}`)
  if (closing) blocks.push(closing)
  blocks.push(`-- \n${signature}\n${config.publicUrl}`)
  return `${blocks.join('\n\n')}\n`
}

function writeHtml(
  config: Pick<Config, 'organisation' | 'publicUrl'>,
  { heading, paragraphs, facts = [], quote, action, closing }: MailContent,
  greeting: string,
  signature: string,
): string {
  const paragraph = (text: string, style = `color:${INK}`) =>
    `<p dir="auto" style="margin:0 0 16px;${style}">${escapeHtml(text)}</p>`
  const factRows = facts.map(
    ({ name, value, isCode }) =>
      `<tr><td style="padding:6px 16px 6px 0;color:${INK_SOFT};white-space:nowrap;vertical-align:top">${escapeHtml(name)}</td>` +
      `<td dir="auto" style="padding:6px 0;${isCode ? `font-family:${MONO};` : ''}color:${INK}">${escapeHtml(value)}</td></tr>`,
  )
  const parts = [paragraph(greeting), ...paragraphs.map((text) => paragraph(text))]
  if (factRows.length > 0)
    parts.push(
      `<table role="presentation" cellpadding="0" cellspacing="0" style="margin:0 0 16px">${factRows.join('')}</table>`,
    )
  if (quote)
    parts.push(
      `<div dir="auto" style="margin:0 0 16px;padding:12px 16px;border:1px solid ${LINE};border-radius:8px;background:${PAPER};color:${INK};white-space:pre-line">${escapeHtml(quote)}</div>`,
    )
  if (action) {
    const url = escapeHtml(action.url)
    parts.push(
      `<p style="margin:24px 0"><a href="${url}" style="display:inline-block;padding:11px 20px;border-radius:8px;background:${BRAND};color:#ffffff;text-decoration:none;font-weight:600">${escapeHtml(action.label)}</a></p>`,
      `<p style="margin:0 0 16px;color:${INK_SOFT};font-size:13px;word-break:break-all">${url}</p>`,
    )
  }
  if (closing) parts.push(paragraph(closing, `color:${INK_SOFT};font-size:13px`))

  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light"><title>${escapeHtml(heading)}</title></head>
<body style="margin:0;padding:0;background:${PAPER}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:${PAPER}"><tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="560" cellpadding="0" cellspacing="0" style="width:100%;max-width:560px;font-family:${SANS};font-size:15px;line-height:1.55">
<tr><td style="padding:0 4px 12px;font-family:${SERIF};font-size:17px;color:${INK}">${escapeHtml(config.organisation)}</td></tr>
<tr><td style="padding:32px;border:1px solid ${LINE};border-radius:10px;background:${SHEET}">
<h1 style="margin:0 0 20px;font-family:${SERIF};font-size:25px;line-height:1.2;font-weight:600;color:${INK}">${escapeHtml(heading)}</h1>
${parts.join('\n')}
</td></tr>
<tr><td style="padding:16px 4px;color:${INK_SOFT};font-size:13px">${escapeHtml(signature)} · <a href="${escapeHtml(config.publicUrl)}" style="color:${INK_SOFT}">${escapeHtml(config.publicUrl)}</a></td></tr>
</table>
</td></tr></table>
</body>
</html>
`
}

function escapeHtml(text: string): string {
  return text
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;')
    .replace(/'/g, '&#39;')
}
