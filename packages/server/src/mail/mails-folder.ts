import { randomBytes } from 'node:crypto'
import { mkdir, open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { toMessage } from './message.ts'
import type { Mailer, MailerDeps } from './mailer.ts'

/** Writes each mail into `DATA_DIR/outbox` as a file that any mail program opens; the folder is its owner's alone. */
export async function openOutboxFolder({ config, now, announce }: Omit<MailerDeps, 'log'>): Promise<Mailer> {
  const folder = join(config.dataDir, 'outbox')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const writer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  return {
    route: { way: 'folder', place: folder },
    send: async (mail) => {
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
    close: () => writer.close(),
  }
}
