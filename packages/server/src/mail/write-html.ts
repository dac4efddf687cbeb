import { splitEnglish } from '@proofdesk/contract/messages'
import type { ComposeConfig, ComposedPictures, MailContent, MailSentence } from './mail-content.ts'
import { closeIsolates } from './foreign-text.ts'
import type { MailPicture } from './mailer.ts'

/** The look's colours in the notation that mail programs read, for light and for dark. */
const LIGHT = {
  paper: '#f6f4ee',
  sheet: '#fffefb',
  line: '#dcd8cc',
  ink: '#23262f',
  soft: '#5c606b',
  brand: '#27408b',
  onBrand: '#ffffff',
}
const DARK: typeof LIGHT = {
  paper: '#12161c',
  sheet: '#1a1f27',
  line: '#343b47',
  ink: '#f1f0ea',
  soft: '#b3b8c3',
  brand: '#a9bdf5',
  onBrand: '#0f1728',
}

const SERIF = "'Source Serif 4',Georgia,'Times New Roman',serif"
const SANS = "'Instrument Sans','Helvetica Neue',Arial,sans-serif"
const MONO = "'JetBrains Mono',Consolas,monospace"

const MARK_PX = 30
const FIGURE_PX = 96

/** For programs that know dark; all others keep to the inline styles, which some of them turn dark by themselves. */
const STYLE = `:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){
.paper{background:${DARK.paper}!important}
.sheet{background:${DARK.sheet}!important;border-color:${DARK.line}!important}
.quote{background:${DARK.paper}!important;border-color:${DARK.line}!important}
.ink{color:${DARK.ink}!important}
.soft{color:${DARK.soft}!important}
.button{background:${DARK.brand}!important;color:${DARK.onBrand}!important}
}
@media (max-width:480px){.sheet{padding:24px 20px!important}}`

/** One mail as HTML: tables and inline styles, because mail programs know little else. Nothing is fetched from anywhere. */
export function writeHtml(config: ComposeConfig, content: MailContent, pictures: ComposedPictures): string {
  const signature = sayInHtml(splitEnglish('mail_signature', { organisation: config.organisation }))
  const url = escapeHtml(config.publicUrl)
  return `<!doctype html>
<html lang="en" dir="ltr">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><title>${escapeHtml(content.heading)}</title>
<style>${STYLE}</style></head>
<body class="paper" style="margin:0;padding:0;background:${LIGHT.paper}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" class="paper" style="background:${LIGHT.paper}"><tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="560" cellpadding="0" cellspacing="0" style="width:100%;max-width:560px;table-layout:fixed;font-family:${SANS};font-size:15px;line-height:1.55;overflow-wrap:anywhere;word-break:break-word">
<tr><td style="padding:0 4px 14px"><table role="presentation" cellpadding="0" cellspacing="0"><tr><td style="padding:0 10px 0 0;vertical-align:middle">${showPicture(pictures.mark, MARK_PX)}</td><td class="ink" style="vertical-align:middle;font-family:${SERIF};font-size:17px;line-height:1.3;color:${LIGHT.ink}">${isolateInHtml(config.organisation)}</td></tr></table></td></tr>
<tr><td class="sheet" style="padding:32px;border:1px solid ${LIGHT.line};border-radius:10px;background:${LIGHT.sheet}">
<h1 class="ink" style="margin:0 0 20px;font-family:${SERIF};font-size:25px;line-height:1.2;font-weight:600;color:${LIGHT.ink}">${escapeHtml(content.heading)}</h1>
${writeParts(content, pictures).join('\n')}
</td></tr>
<tr><td class="soft" style="padding:16px 4px;color:${LIGHT.soft};font-size:13px">${signature} · <a href="${url}" class="soft" style="color:${LIGHT.soft}">${url}</a></td></tr>
</table>
</td></tr></table>
</body>
</html>
`
}

function writeParts(content: MailContent, { figure }: ComposedPictures): string[] {
  const { greetingName, paragraphs, facts = [], quote, action, closing } = content
  const parts = [splitEnglish('mail_greeting', { name: greetingName }), ...paragraphs].map((text) =>
    writeParagraph(text, 'ink'),
  )
  if (figure) parts.push(`<p style="margin:0 0 12px">${showPicture(figure, FIGURE_PX)}</p>`)
  if (facts.length > 0)
    parts.push(
      `<table role="presentation" cellpadding="0" cellspacing="0" style="margin:0 0 16px">${facts.map(writeFact).join('')}</table>`,
    )
  if (quote)
    parts.push(
      `<div class="quote ink" style="margin:0 0 16px;padding:12px 16px;border:1px solid ${LIGHT.line};border-radius:8px;background:${LIGHT.paper};color:${LIGHT.ink}">${quote.split('\n').map(writeQuotedLine).join('')}</div>`,
    )
  if (action) {
    const url = escapeHtml(action.url)
    parts.push(
      `<p style="margin:24px 0"><a href="${url}" class="button" style="display:inline-block;padding:11px 20px;border-radius:8px;background:${LIGHT.brand};color:${LIGHT.onBrand};text-decoration:none;font-weight:600">${escapeHtml(action.label)}</a></p>`,
      `<p dir="ltr" class="soft" style="margin:0 0 16px;color:${LIGHT.soft};font-size:13px;word-break:break-all">${url}</p>`,
    )
  }
  if (closing) parts.push(writeParagraph(closing, 'soft'))
  return parts
}

function writeParagraph(sentence: MailSentence, tone: 'ink' | 'soft'): string {
  const size = tone === 'soft' ? ';font-size:13px' : ''
  return `<p dir="auto" class="${tone}" style="margin:0 0 16px;color:${LIGHT[tone]}${size}">${sayInHtml(sentence)}</p>`
}

function writeFact({ name, value, isCode }: NonNullable<MailContent['facts']>[number]): string {
  return (
    `<tr><td class="soft" style="padding:6px 16px 6px 0;color:${LIGHT.soft};white-space:nowrap;vertical-align:top">${escapeHtml(name)}</td>` +
    `<td class="ink" style="padding:6px 0;${isCode ? `font-family:${MONO};` : ''}color:${LIGHT.ink}">${isolateInHtml(value)}</td></tr>`
  )
}

/** Each line has the direction of its own first letter; spaces stay as they were typed. */
function writeQuotedLine(line: string): string {
  const text = escapeHtml(closeIsolates(line.replace(/\r$/, '')))
  return `<div dir="auto" style="white-space:pre-wrap">${text || '<br>'}</div>`
}

/** Width and height stand there too, for programs that show no pictures until they are asked to. */
function showPicture({ id, alt }: MailPicture, px: number): string {
  return `<img src="cid:${id}" width="${px}" height="${px}" alt="${escapeHtml(alt)}" style="display:block;border:0">`
}

function sayInHtml(sentence: MailSentence): string {
  if (typeof sentence === 'string') return escapeHtml(sentence)
  return sentence.map(({ text, isValue }) => (isValue ? isolateInHtml(text) : escapeHtml(text))).join('')
}

function isolateInHtml(text: string): string {
  return `<bdi dir="auto">${escapeHtml(closeIsolates(text))}</bdi>`
}

function escapeHtml(text: string): string {
  return text
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;')
    .replace(/'/g, '&#39;')
}
