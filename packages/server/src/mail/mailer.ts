import type { MailState } from '@proofdesk/contract/mail-delivery'
import type { Config } from '../config/config.ts'
import type { Logger } from '../logger.ts'

export interface Mail {
  /** One bare address. */
  to: string
  subject: string
  text: string
  html: string
  /** With its brackets; one is made up when absent. */
  messageId?: string
  pictures?: MailPicture[]
}

/** A picture that travels in the mail and that its HTML shows as `cid:…`. */
export interface MailPicture {
  /** Letters only; unique within its mail. */
  id: string
  name: string
  png: Buffer
  /** For those who see no pictures. */
  alt: string
}

/** `usual`: as long as a slow mail server may need; `short`: somebody is waiting for the answer. */
export type Patience = 'usual' | 'short'

/** Sends mails. */
export interface Mailer {
  /**
   * Returns once the mail is with the mail server, or safely in the folder of mails. Sending again sends again.
   * @throws HopelessWork when the mail server refuses the address for good; anything else is worth another try. Both
   *   carry what `describeFailure` reads.
   */
  send(mail: Mail, patience?: Patience): Promise<void>
  /** How mails leave, for operators to read: never a password. */
  route: Pick<MailState, 'way' | 'place'>
  close(): void
}

export interface MailerDeps {
  config: Pick<Config, 'smtpUrl' | 'mailFrom' | 'dkim' | 'dataDir'>
  logger: Logger
  now: () => number
  /** Takes a line for the operator's eyes; standard output in the product. */
  announce: (line: string) => void
}
