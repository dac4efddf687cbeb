import { sayEnglish, splitEnglish, type MessageKey } from '@proofdesk/contract/messages'
import type { ProofChangeKind } from '@proofdesk/contract/proof-changes'
import { judgeProof, type RevocationReason } from '@proofdesk/contract/proof-verdict'
import type { Deps } from '../../deps.ts'
import { composeMail } from '../../mail/compose.ts'
import type { MailContent } from '../../mail/mail-content.ts'
import { sayMinute } from '../../mail/say-minute.ts'
import { findReachableUser } from '../users/queries.ts'
import { findChange } from './changes/queries.ts'
import { findProof, type ProofRecord } from './queries.ts'
import { toVerdictFacts } from './to-server-content.ts'

const WORDS: Record<ProofChangeKind, 'mail_revoked' | 'mail_reinstated' | 'mail_expiry'> = {
  revoke: 'mail_revoked',
  reinstate: 'mail_reinstated',
  extend: 'mail_expiry',
}

const REASON_WORDS: Record<RevocationReason, MessageKey> = {
  issued_in_error: 'revocation_issued_in_error',
  superseded: 'revocation_superseded',
  content_false: 'revocation_content_false',
  holder_request: 'revocation_holder_request',
  key_compromised: 'revocation_key_compromised',
  other: 'revocation_other',
}

/** Tells the owner what became of a proof. What was noted for staff is in no mail. */
export async function sendChangeMail(deps: Deps, proofRowId: number, number: number): Promise<void> {
  const change = await findChange(deps.reads, proofRowId, number)
  const proof = await findProof(deps.reads, proofRowId)
  if (!change || !proof) return
  const words = WORDS[change.kind]
  const { organisation, publicUrl } = deps.config
  const facts =
    change.kind === 'revoke'
      ? [
          { name: sayEnglish('mail_fact_revoked'), value: sayMinute(change.at) },
          { name: sayEnglish('mail_fact_reason'), value: sayEnglish(REASON_WORDS[change.reason ?? 'other']) },
        ]
      : [{ name: sayEnglish('mail_fact_expires'), value: sayExpiry(change.expire_time) }]
  await sendAboutProof(deps, proof, {
    subject: splitEnglish(`${words}_subject`, { title: proof.title }),
    heading: sayEnglish(`${words}_heading`),
    paragraphs: [splitEnglish(`${words}_text`, { title: proof.title, organisation })],
    facts,
    action: { label: sayEnglish('mail_change_action'), url: `${publicUrl}/server-content` },
    closing: sayEnglish(`${words}_closing`),
  })
}

/** Silent where there is nothing to be reminded of any more: it was revoked, has another expiry, or is over. */
export async function sendReminderMail(deps: Deps, proofRowId: number, expireTime: number): Promise<void> {
  const proof = await findProof(deps.reads, proofRowId)
  if (proof?.state !== 'published' || proof.current_expire_time !== expireTime) return
  if (judgeProof(toVerdictFacts(proof), deps.now()) !== 'valid') return
  const { organisation, publicUrl } = deps.config
  const { title } = proof
  const date = sayMinute(expireTime)
  await sendAboutProof(deps, proof, {
    subject: splitEnglish('mail_reminder_subject', { date, title }),
    heading: sayEnglish('mail_reminder_heading'),
    paragraphs: [
      splitEnglish('mail_reminder_text', { date, title }),
      splitEnglish('mail_reminder_what_to_do', { organisation }),
    ],
    facts: [{ name: sayEnglish('mail_fact_expires'), value: date }],
    action: { label: sayEnglish('mail_reminder_action'), url: `${publicUrl}/ticket` },
    closing: sayEnglish('mail_reminder_closing'),
  })
}

type AboutProof = Omit<MailContent, 'greetingName' | 'figure' | 'facts'> & Required<Pick<MailContent, 'facts'>>

async function sendAboutProof(deps: Deps, proof: ProofRecord, content: AboutProof): Promise<void> {
  const owner = await findReachableUser(deps.reads, proof.owner_id)
  if (!owner) return
  const facts = [{ name: sayEnglish('mail_fact_proof_id'), value: proof.proofid, isCode: true }, ...content.facts]
  const figure = { proofId: proof.proofid }
  const mail = composeMail(deps.config, { ...content, facts, figure, greetingName: owner.username })
  await deps.mailer.send({ to: owner.email, ...mail })
}

function sayExpiry(at: number | null): string {
  return at === null ? sayEnglish('mail_never_expires') : sayMinute(at)
}
