import { isUnlogged } from '@proofdesk/proof/document-verdict'
import type { ProofFields } from '@proofdesk/proof/log/commitment'
import { certifiedFileName, type ProofDetails } from '@proofdesk/contract/certificates'
import { BadgeCheck, CircleHelp, Download, ExternalLink } from 'lucide-react'
import { formatFileSize } from '../../lib/file-size.ts'
import { openBlob, saveBlob } from '../../ui/open-file.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { Fact, FACTS } from '../../ui/fact.tsx'
import { Rosette } from '../../ui/rosette.tsx'
import { DateTime, formatTime } from '../../ui/time.tsx'
import { UserText } from '../../ui/user-text.tsx'
import type { CheckedDocument } from './check-document.ts'
import { DocumentSteps } from './document-steps.tsx'
import { isInDoubt } from './is-in-doubt.ts'
import { SaveReceipt } from './save-receipt.tsx'
import { ProofLink } from './proof-link.tsx'
import type { Verified } from './retrieve.ts'
import { VerdictHeading, type Verdict } from './verdict-heading.tsx'

/** A proof that holds, with its figure, its file and what its certificate says. Printed, it is a sheet of its own. */
export function VerifiedProof({ proof }: { proof: Verified }) {
  const { proofId, username, pdf, details, checked, isNewer, answeredAt } = proof
  const logged = checked?.report.fields ?? undefined
  return (
    <div className="w-full self-start">
      <div className="flex gap-x-8 gap-y-5 max-sm:flex-col sm:items-center">
        <div className="min-w-0 grow">
          <VerdictHeading verdict={sayOutcome(proof)} />
          <div className="mt-4 flex flex-wrap gap-2">
            <Button kind="brand" onClick={() => openBlob(pdf, certifiedFileName(username))}>
              <ExternalLink aria-hidden size={16} />
              {m.certificate_view()}
            </Button>
            <Button onClick={() => saveBlob(pdf, certifiedFileName(username))}>
              <Download aria-hidden size={16} />
              {m.certificate_download()}
            </Button>
            <SaveReceipt proofId={proofId} username={username} />
          </div>
        </div>
        <Rosette
          seed={proofId}
          detail="large"
          className="size-48 shrink-0 text-seal max-sm:self-center sm:order-first xl:size-56"
        />
      </div>
      <dl className={`mt-6 ${FACTS}`}>
        {details && <Certified details={details} logged={logged} />}
        <Fact name={m.verify_proofid()}>
          <span dir="ltr" className="font-mono text-[0.9rem]">
            {proofId}
          </span>
        </Fact>
        <Fact name={m.verify_username()}>
          <UserText>{username}</UserText>
        </Fact>
        <Fact name={m.verify_size()}>{m.verify_size_value({ size: formatFileSize(pdf.size) })}</Fact>
      </dl>
      {details && <FileList files={keepLogged(details.files, logged)} />}
      {checked ? <CheckedHere checked={checked} answeredAt={answeredAt} /> : <NotCheckedHere isNewer={isNewer} />}
      <div className="mt-6 break-inside-avoid">
        <ProofLink proofId={proofId} username={username} />
      </div>
      <p className="mt-6 hidden text-sm text-ink-2 print:block">
        {m.verify_looked_up({ time: formatTime(answeredAt), host: location.host })}
      </p>
    </div>
  )
}

/** Whoever runs the server can take the proof out of a file and seal it anew: that is no success to be told as one. */
function sayOutcome({ checked, answeredAt }: Verified): Verdict {
  const doubt = { Icon: CircleHelp, colour: 'text-warn' }
  if (checked && isUnlogged(checked.report.steps))
    return { ...doubt, title: m.verify_file_unlogged(), text: m.verify_steps_unlogged() }
  if (checked && isInDoubt(checked.report, Date.parse(answeredAt)))
    return { ...doubt, title: m.verify_doubt(), text: m.verify_doubt_text() }
  return { Icon: BadgeCheck, colour: 'text-ok', title: m.verify_success(), text: m.verify_success_text() }
}

function CheckedHere({ checked, answeredAt }: { checked: CheckedDocument; answeredAt: string }) {
  if (isUnlogged(checked.report.steps)) return null
  return (
    <>
      <DocumentSteps checked={checked} />
      {checked.report.verdict === 'expired' && <p className="mt-2 text-ink-2">{m.verify_steps_extended()}</p>}
      {checked.report.verdict === 'revoked' && !isInDoubt(checked.report, Date.parse(answeredAt)) && (
        <p className="mt-2 text-ink-2">{m.verify_steps_reinstated()}</p>
      )}
    </>
  )
}

function NotCheckedHere({ isNewer }: Pick<Verified, 'isNewer'>) {
  return (
    <section className="mt-6">
      <h3 className="font-serif text-lg font-semibold">{m.verify_steps_failed()}</h3>
      <p className="mt-0.5 text-sm text-ink-2">{isNewer ? m.verify_file_newer_text() : m.verify_steps_failed_text()}</p>
    </section>
  )
}

type Logged = Partial<ProofFields> | undefined

/** What this browser has found in the log goes before what the server says; that knows alone of a later expiry. */
function Certified({ details, logged }: { details: ProofDetails; logged: Logged }) {
  const title = logged?.col ?? details.title
  const issuedAt = logged?.iat ?? details.issued_at
  const issuer = logged?.org ?? details.issuer
  const reviewer = logged?.by ?? details.reviewer
  const { expire_time: expireTime } = details
  return (
    <>
      <Fact name={m.verify_fact_title()}>
        <UserText>{title}</UserText>
      </Fact>
      <Fact name={m.verify_fact_issued()}>
        <DateTime at={issuedAt} />
      </Fact>
      <Fact name={m.verify_fact_valid_until()}>
        {expireTime === null ? m.verify_no_expiry() : <DateTime at={expireTime} />}
      </Fact>
      <Fact name={m.verify_fact_issuer()}>
        <UserText>{issuer}</UserText>
      </Fact>
      <Fact name={m.verify_fact_reviewer()}>
        <UserText>{reviewer}</UserText>, <UserText>{logged?.org ?? details.reviewer_organisation}</UserText>
      </Fact>
    </>
  )
}

/** Of the files that the server names those that were approved. */
function keepLogged(files: ProofDetails['files'], logged: Logged): ProofDetails['files'] {
  if (!logged?.doc) return files
  const approved = new Set(logged.doc.slice(1).map(({ sha256 }) => sha256))
  return files.filter(({ sha256 }) => approved.has(sha256))
}

function FileList({ files }: { files: ProofDetails['files'] }) {
  return (
    <section aria-labelledby="certified-files" className="mt-6">
      <h3 id="certified-files" className="font-serif text-lg font-semibold">
        {m.verify_files()}
      </h3>
      <p className="mt-0.5 text-sm text-ink-2">{m.verify_files_text()}</p>
      <ol className="mt-2 divide-y divide-line border-y border-line">
        {files.map(({ title, file_name: fileName, type, size, sha256 }, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- the same file may stand there twice; nothing moves
          <li key={at} className="break-inside-avoid py-2.5">
            <p className="flex flex-wrap justify-between gap-x-4">
              <span className="min-w-0">
                <UserText className="font-[560] wrap-anywhere">{title}</UserText>{' '}
                <UserText className="text-sm wrap-anywhere text-ink-2">{fileName}</UserText>
              </span>
              <span className="text-sm text-ink-2">
                {type}, {formatFileSize(size)}
              </span>
            </p>
            <p className="text-xs text-ink-2">
              {m.verify_sha256()}{' '}
              <span dir="ltr" className="font-mono wrap-anywhere">
                {sha256}
              </span>
            </p>
          </li>
        ))}
      </ol>
    </section>
  )
}
