import { toProofLink } from '@proofdesk/contract/proof-link'
import { isUnlogged } from '@proofdesk/proof/document-verdict'
import type { ProofFields } from '@proofdesk/proof/log/commitment'
import { BadgeCheck, CalendarX2, CircleHelp, FileCheck2, FileX2, SearchX, ShieldAlert } from 'lucide-react'
import { m } from '../../paraglide/messages.js'
import { ButtonLink } from '../../ui/button.tsx'
import { Fact, FACTS } from '../../ui/fact.tsx'
import { Rosette } from '../../ui/rosette.tsx'
import { DateTime, formatTime } from '../../ui/time.tsx'
import { UserText } from '../../ui/user-text.tsx'
import type { CheckedDocument } from './check-document.ts'
import { DocumentSteps } from './document-steps.tsx'
import { findUnconfirmed, hasDoubtfulStep } from './is-in-doubt.ts'
import type { Judged } from './judge-file.ts'
import { JudgedReceipt } from './judged-receipt.tsx'
import { sayStep, sayUnrevokedAsOf } from './step-words.ts'
import { VerdictHeading, type Verdict } from './verdict-heading.tsx'

/** What a file is worth, as this device has found out. */
export function JudgedFile({ judged }: { judged: Judged }) {
  const fields = judged.checked?.report.fields
  const isKnown = judged.checked !== undefined && judged.checked.report.verdict !== 'not_found'
  const figureColour = judged.checked?.report.verdict === 'valid' ? 'text-seal' : 'text-line-strong'
  // What neither the file nor the list knows: whether it was revoked just now, or is in force longer.
  const isLeft = judged.checked?.report.verdict === 'valid' || judged.checked?.report.verdict === 'expired'
  // A photograph or a scan of the certificate is neither a certified PDF nor an original.
  const isOfPaper = judged.isPicture && !isKnown && !judged.original
  if (judged.receipt) return <JudgedReceipt judged={judged.receipt} name={judged.name} />
  return (
    <div className="w-full self-start">
      <div className="flex gap-x-8 gap-y-5 max-sm:flex-col sm:items-center">
        {fields?.pid && (
          <Rosette seed={fields.pid} detail="large" className={`size-40 shrink-0 max-sm:self-center ${figureColour}`} />
        )}
        <div className="min-w-0 grow">
          <UserText className="mb-1.5 block text-sm wrap-anywhere text-ink-2">{judged.name}</UserText>
          <VerdictHeading verdict={sayVerdict(judged)} />
          {isLeft && fields?.pid !== undefined && fields.sub !== undefined && (
            <ButtonLink to={toProofLink('', fields.pid, fields.sub)} state={{ isLookUp: true }} className="mt-3">
              {m.verify_file_look_up()}
            </ButtonLink>
          )}
          {isOfPaper && <PaperHint />}
        </div>
      </div>
      {fields && <Fields fields={fields} />}
      {isKnown && judged.checked && <DocumentSteps checked={judged.checked} />}
    </div>
  )
}

/** The offline page stands beside the site, not in it. */
function PaperHint() {
  return (
    <>
      <p className="mt-3">{m.verify_file_picture()}</p>
      <ButtonLink reloadDocument to="/verify" className="mt-3">
        {m.verify_file_picture_link()}
      </ButtonLink>
    </>
  )
}

function sayVerdict({ name, checked, original, isOtherKind }: Judged): Verdict {
  if (isOtherKind)
    return {
      Icon: CircleHelp,
      colour: 'text-ink-2',
      title: m.verify_file_other_kind(),
      text: m.verify_file_other_kind_text(),
    }
  if (!checked)
    return original
      ? {
          Icon: FileCheck2,
          colour: 'text-ok',
          title: m.verify_file_original(),
          text: m.verify_file_original_text({ name, number: original }),
        }
      : {
          Icon: FileX2,
          colour: 'text-seal',
          title: m.verify_file_no_original(),
          text: m.verify_file_no_original_text({ name }),
        }
  return sayDocument(checked)
}

function sayDocument(checked: CheckedDocument): Verdict {
  const { verdict, steps, fields } = checked.report
  const { organisation } = checked.policy
  switch (verdict) {
    case 'valid':
      if (hasDoubtfulStep(steps))
        return { Icon: CircleHelp, colour: 'text-warn', title: m.verify_doubt(), text: m.verify_doubt_text() }
      return sayValid(checked)
    case 'expired':
      return {
        Icon: CalendarX2,
        colour: 'text-warn',
        title: m.verify_file_expired(),
        text: m.verify_file_expired_text({ organisation, time: formatTime(fields?.exp ?? new Date().toISOString()) }),
      }
    case 'revoked':
      return {
        Icon: ShieldAlert,
        colour: 'text-seal',
        title: m.verify_revoked_title(),
        text: m.verify_file_revoked_text({ organisation }),
      }
    case 'altered':
      return {
        Icon: ShieldAlert,
        colour: 'text-seal',
        title: m.verify_file_altered(),
        text: m.verify_file_altered_text(),
      }
    case 'newer':
      return { Icon: CircleHelp, colour: 'text-ink-2', title: m.verify_file_newer(), text: m.verify_file_newer_text() }
    // Said of times that somebody asks about, which nobody can here.
    case 'not_yet':
    case 'unavailable':
      return {
        Icon: CircleHelp,
        colour: 'text-ink-2',
        title: m.verify_file_unavailable(),
        text: m.verify_file_unavailable_text(),
      }
    case 'not_found':
      return isUnlogged(steps)
        ? { Icon: CircleHelp, colour: 'text-warn', title: m.verify_file_unlogged(), text: m.verify_steps_unlogged() }
        : {
            Icon: SearchX,
            colour: 'text-seal',
            title: m.verify_file_not_found(),
            text: m.verify_file_not_found_text({ organisation }),
          }
  }
}

function sayValid(checked: CheckedDocument): Verdict {
  const { report, policy } = checked
  const title = m.verify_file_genuine()
  const text = sayGenuine(report.steps, policy.organisation)
  const open = findUnconfirmed(checked)
  if (!open) return { Icon: BadgeCheck, colour: 'text-ok', title, text }
  return { Icon: CircleHelp, colour: 'text-warn', title, text: `${text} ${sayStep(open, policy.organisation)}.` }
}

/** The same of a revocation as its step below says. */
function sayGenuine(steps: CheckedDocument['report']['steps'], organisation: string): string {
  const time = sayUnrevokedAsOf(steps)
  return time === undefined
    ? m.verify_file_genuine_text({ organisation })
    : m.verify_file_genuine_unrevoked_text({ organisation, time })
}

function Fields({ fields: { pid, col, sub, iat, exp, org, by } }: { fields: Partial<ProofFields> }) {
  return (
    <dl className={`mt-6 ${FACTS}`}>
      {col !== undefined && (
        <Fact name={m.verify_fact_title()}>
          <UserText>{col}</UserText>
        </Fact>
      )}
      {iat !== undefined && (
        <Fact name={m.verify_fact_issued()}>
          <DateTime at={iat} />
        </Fact>
      )}
      {exp !== undefined && (
        <Fact name={m.verify_fact_valid_until()}>{exp === null ? m.verify_no_expiry() : <DateTime at={exp} />}</Fact>
      )}
      {by !== undefined && (
        <Fact name={m.verify_fact_reviewer()}>
          <UserText>{by}</UserText>
          {org ? ', ' : ''}
          <UserText>{org ?? ''}</UserText>
        </Fact>
      )}
      {pid !== undefined && (
        <Fact name={m.verify_proofid()} isCode>
          {pid}
        </Fact>
      )}
      {sub !== undefined && (
        <Fact name={m.verify_username()}>
          <UserText>{sub}</UserText>
        </Fact>
      )}
    </dl>
  )
}
