import type { EnglishPart } from '@proofdesk/contract/messages'
import type { Config } from '../config/config.ts'
import type { MailPicture } from './mailer.ts'

/** Words of ours alone, or with values of other people in them. */
export type MailSentence = string | EnglishPart[]

/** What a mail says; all of it plain text, made safe for HTML here. */
export interface MailContent {
  subject: MailSentence
  heading: string
  greetingName: string
  paragraphs: MailSentence[]
  /** A proof, by the figure that people know it by. */
  figure?: { proofId: string }
  /** Names and values, such as a title or a Proof ID. */
  facts?: { name: string; value: string; isCode?: boolean }[]
  /** Words of another person, set apart. */
  quote?: string
  action?: { label: string; url: string }
  closing?: string
}

export type ComposeConfig = Pick<Config, 'organisation' | 'publicUrl'>

export interface ComposedPictures {
  mark: MailPicture
  figure?: MailPicture
}
