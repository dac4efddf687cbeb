import type { Mailer, MailerDeps } from './mailer.ts'
import { openMailsFolder } from './mails-folder.ts'
import { openSmtp } from './smtp.ts'

/** By SMTP where it is set, else into a folder of files that a person can open. */
export async function openMailer(deps: MailerDeps): Promise<Mailer> {
  const { smtpUrl } = deps.config
  return smtpUrl === undefined ? openMailsFolder(deps) : openSmtp(smtpUrl, deps.config)
}
