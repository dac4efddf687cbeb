import type { ProofDetails } from '@proofdesk/contract/certificates'
import type { PaperClaims } from '@proofdesk/proof/paper/paper-claims'
import { formatPrintedTime } from '@proofdesk/proof/paper/printed-time'
import { BadgeCheck, CalendarX2, Check, CircleHelp, SearchX, ShieldAlert, X } from 'lucide-react'
import { useEffect, type ReactNode } from 'react'
import { m } from '../../paraglide/messages.js'
import { Fact, FACTS } from '../../ui/fact.tsx'
import { UserText } from '../../ui/user-text.tsx'
import { announce } from '../../ui/announcer.tsx'
import { listDifferences, type ComparedField, type JudgedCode as Judged } from './judge-code.ts'
import type { Verdict } from './verdict-heading.tsx'

/** What a printed code says by itself, with its times as they are printed, and where the record says something else. @param record Once it was looked up. */
export function JudgedCode({ judged, record }: { judged: Judged; record: ProofDetails | undefined }) {
  const { Icon, colour, title, text } = sayVerdict(judged)
  const { claims } = judged.report
  useEffect(() => {
    announce(title)
  }, [title])
  return (
    <section aria-labelledby="printed-code" className="sheet mb-5 p-5 sm:p-7 print:hidden">
      <h2 id="printed-code" className="flex gap-2.5 font-serif text-xl leading-tight font-semibold">
        <Icon aria-hidden size={24} className={`mt-0.5 shrink-0 ${colour}`} />
        {title}
      </h2>
      <p className="mt-1.5 wrap-anywhere text-ink-2">{text}</p>
      {claims && <Claims claims={claims} record={record} />}
    </section>
  )
}

function sayVerdict({ report: { verdict }, policy: { organisation } }: Judged): Verdict {
  switch (verdict) {
    case 'valid':
      return {
        Icon: BadgeCheck,
        colour: 'text-ok',
        title: m.verify_code_signed({ organisation }),
        text: m.verify_code_signed_text(),
      }
    case 'expired':
      return {
        Icon: CalendarX2,
        colour: 'text-warn',
        title: m.verify_code_expired({ organisation }),
        text: m.verify_code_signed_text(),
      }
    case 'altered':
      return {
        Icon: ShieldAlert,
        colour: 'text-seal',
        title: m.verify_code_altered(),
        text: m.verify_code_altered_text(),
      }
    case 'not_found':
      return {
        Icon: SearchX,
        colour: 'text-seal',
        title: m.verify_code_not_found({ organisation }),
        text: m.verify_code_not_found_text(),
      }
    case 'newer':
      return { Icon: CircleHelp, colour: 'text-ink-2', title: m.verify_file_newer(), text: m.verify_code_newer_text() }
    // Said of times that somebody asks about, which nobody can here.
    case 'not_yet':
    case 'unavailable':
      return {
        Icon: CircleHelp,
        colour: 'text-ink-2',
        title: m.verify_code_unavailable(),
        text: m.verify_code_unavailable_text(),
      }
  }
}

/** Another expiry may have been decided since it was printed; nothing else that is printed ever changes. */
function Comparison({ differences }: { differences: ComparedField[] }) {
  const isOther = differences.some((field) => field !== 'expiresAt')
  const isSame = differences.length === 0
  const [Icon, colour] = isOther ? [X, 'text-seal'] : isSame ? [Check, 'text-ok'] : [CircleHelp, 'text-ink-2']
  return (
    <p role={isOther ? 'alert' : undefined} className={`mt-3 flex gap-2 font-[560] ${colour}`}>
      <Icon aria-hidden size={18} className="mt-0.5 shrink-0" />
      {isOther ? m.verify_code_differs() : isSame ? m.verify_code_same() : m.verify_code_expiry_changed()}
    </p>
  )
}

function Claims({ claims, record }: { claims: PaperClaims; record: ProofDetails | undefined }) {
  const differences = record ? listDifferences(claims, record) : []
  const onRecord = (field: ComparedField, value: (record: ProofDetails) => ReactNode) =>
    record &&
    differences.includes(field) && (
      <p className="text-seal">
        {m.verify_code_on_record()} {value(record)}
      </p>
    )
  return (
    <>
      {record && <Comparison differences={differences} />}
      <dl className={`mt-4 ${FACTS}`}>
        <Fact name={m.verify_proofid()} isCode>
          {claims.proofId}
        </Fact>
        <Fact name={m.verify_username()}>
          <UserText>{claims.username}</UserText>
          {onRecord('username', ({ username }) => (
            <UserText>{username}</UserText>
          ))}
        </Fact>
        <Fact name={m.verify_fact_title()}>
          <UserText>{claims.title}</UserText>
          {claims.isTitleCut && <> {m.verify_code_cut()}</>}
          {onRecord('title', ({ title }) => (
            <UserText>{title}</UserText>
          ))}
        </Fact>
        <Fact name={m.verify_fact_issuer()}>
          <UserText>{claims.organisation}</UserText>
          {claims.isOrganisationCut && <> {m.verify_code_cut()}</>}
          {onRecord('organisation', ({ issuer }) => (
            <UserText>{issuer}</UserText>
          ))}
        </Fact>
        <Fact name={m.verify_fact_issued()}>
          {formatPrintedTime(claims.approvedAt * 1000)}
          {onRecord('approvedAt', ({ issued_at: at }) => formatPrintedTime(Date.parse(at)))}
        </Fact>
        <Fact name={m.verify_fact_valid_until()}>
          {claims.expiresAt === null ? m.verify_no_expiry() : formatPrintedTime(claims.expiresAt * 1000)}
          {onRecord('expiresAt', ({ expire_time: at }) =>
            at === null ? m.verify_no_expiry() : formatPrintedTime(Date.parse(at)),
          )}
        </Fact>
        <Fact name={m.verify_code_pages()}>{claims.pages}</Fact>
        <Fact name={m.verify_code_files()} isCode>
          {claims.filesRoot}
          {onRecord('filesRoot', () => m.verify_code_other_files())}
        </Fact>
        <Fact name={m.verify_code_document()} isCode>
          {claims.reviewDocument}
        </Fact>
      </dl>
      {!record && <p className="mt-3 text-ink-2">{m.verify_code_later()}</p>}
    </>
  )
}
