import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, rename, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { toMessage } from './message.ts'
import type { Mailer, MailerDeps } from './mailer.ts'

/** Writes each mail into `DATA_DIR/outbox` as a file that any mail program opens; the folder is its owner's alone. */
export async function openMailsFolder({ config, now, announce }: Omit<MailerDeps, 'logger'>): Promise<Mailer> {
  const folder = join(config.dataDir, 'outbox')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await moveFiles(join(config.dataDir, FORMER_NAME), folder)
  return {
    route: { way: 'folder', place: folder },
    send: async (mail) => {
      // Loaded with the first mail: a start does not wait for it.
      const { createTransport } = await import('nodemailer')
      const writer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
      const { message } = await writer.sendMail(toMessage(mail, config.mailFrom))
      const stamp = new Date(now()).toISOString().replace(/[:.]/g, '-')
      const path = join(folder, `${stamp}-${randomBytes(4).toString('hex')}.eml`)
      const file = await open(`${path}.part`, 'wx', 0o600)
      try {
        await file.writeFile(message as Buffer)
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(`${path}.part`, path)
      announce(`Mail written to ${path}`)
    },
    close: () => {},
  }
}

/** What the folder was called in between. */
const FORMER_NAME = 'mails'

/** Names are random, so none meets another. */
async function moveFiles(from: string, to: string): Promise<void> {
  const names = await readdir(from).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (!names) return
  for (const name of names) await rename(join(from, name), join(to, name))
  await rmdir(from)
}
