import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import PostalMime, { type Email } from 'postal-mime'

/** Every mail of an outbox folder, oldest first, as a mail program reads it. */
export async function readMails(dataDir: string): Promise<Email[]> {
  const folder = join(dataDir, 'outbox')
  const names = (await readdir(folder)).filter((name) => name.endsWith('.eml')).sort()
  return Promise.all(names.map(async (name) => PostalMime.parse(await readFile(join(folder, name)))))
}

/** The token at the end of the link that a mail holds, such as `/verify-email/…`. */
export function findToken(mail: Email | undefined, page: string): string {
  const token = new RegExp(`/${page}/([A-Za-z0-9_-]{43})`).exec(mail?.text ?? '')?.[1]
  if (!token) throw new Error(`no link to ${page} in the mail`)
  return token
}
