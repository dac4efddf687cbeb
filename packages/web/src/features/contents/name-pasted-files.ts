import { m } from '../../paraglide/messages.js'

/** What browsers call every picture that comes from the clipboard. */
const NAMELESS = /^(image|unknown|blob|)(\.(png|jpe?g))?$/i
const ENDINGS: Partial<Record<string, string>> = {
  'image/png': '.png',
  'image/jpeg': '.jpg',
  'application/pdf': '.pdf',
}

/** Names pasted pictures after the moment, so that they can be told apart; files copied in a file manager have names. */
export function namePastedFiles(files: readonly File[], now: Date): File[] {
  let count = 0
  return files.map((file) => {
    if (!NAMELESS.test(file.name)) return file
    count += 1
    const time = `${formatStamp(now)}${count > 1 ? ` (${count})` : ''}`
    return new File([file], m.content_pasted_name({ time }) + (ENDINGS[file.type] ?? ''), { type: file.type })
  })
}

/** In the person's own time, without what file systems do not allow. */
function formatStamp(now: Date): string {
  const two = (value: number) => String(value).padStart(2, '0')
  const date = `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`
  return `${date} ${two(now.getHours())}.${two(now.getMinutes())}.${two(now.getSeconds())}`
}
