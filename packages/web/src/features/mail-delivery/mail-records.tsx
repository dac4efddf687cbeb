import { isSoundRecord, type MailRecord } from '@proofdesk/contract/mail-delivery'
import { CircleAlert, CircleCheck } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { wordsOf } from '../../lib/error-words.ts'
import { m } from '../../paraglide/messages.js'
import { ErrorBanner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { SectionSheet } from '../../ui/section-sheet.tsx'
import { useCheckMailRecords } from './api.ts'
import { sayRecord } from './mail-words.ts'

/** What the protocols are called everywhere. */
const NAMES: Record<MailRecord['kind'], string> = { spf: 'SPF', dkim: 'DKIM', dmarc: 'DMARC' }

/** Looks up the records that tell receivers whose our mails are, and says what to publish where they do not fit. */
export function MailRecords() {
  const { mutate, error, isPending } = useCheckMailRecords()
  const [records, setRecords] = useState<MailRecord[]>()
  const look = () => {
    setRecords(undefined)
    mutate(undefined, { onSuccess: (found) => setRecords(found.records) })
  }
  return (
    <SectionSheet title={m.mail_records_title()} lead={m.mail_records_lead()}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <div>
          <Button busy={isPending} onClick={look}>
            {isPending ? m.mail_records_looking() : m.mail_records_look()}
          </Button>
        </div>
        {error && !isPending && <ErrorBanner>{wordsOf(error, m.mail_records_failed())}</ErrorBanner>}
        {records && (
          <ul aria-label={m.mail_records_title()} className="divide-y divide-line border-t border-line">
            {records.map((record) => (
              <FoundRecord key={record.kind} record={record} />
            ))}
          </ul>
        )}
      </div>
    </SectionSheet>
  )
}

function FoundRecord({ record }: { record: MailRecord }) {
  const { kind, name, found, verdict, publish } = record
  const isSound = isSoundRecord(record)
  const Icon = isSound ? CircleCheck : CircleAlert
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-2 py-4">
      <p className="flex gap-2">
        <Icon aria-hidden size={17} className={`mt-0.75 shrink-0 ${isSound ? 'text-ok' : 'text-warn'}`} />
        <span className="min-w-0">
          <strong className="font-semibold">{NAMES[kind]}</strong> <Code>{name}</Code>
          <br />
          {sayRecord(verdict)}
        </span>
      </p>
      {found.length > 0 && (
        <Named name={m.mail_records_found()}>
          {found.map((text) => (
            <p key={text}>
              <Code>{text}</Code>
            </p>
          ))}
        </Named>
      )}
      {publish !== null && (
        <Named name={m.mail_records_publish()}>
          <p className="flex items-start justify-between gap-2">
            <Code>{publish}</Code>
            <CopyButton text={publish} label={m.mail_records_copy({ name: NAMES[kind] })} />
          </p>
        </Named>
      )}
    </li>
  )
}

function Named({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="ps-6">
      <p className="text-xs font-semibold text-ink-2">{name}</p>
      {children}
    </div>
  )
}

function Code({ children }: { children: string }) {
  return (
    <span dir="ltr" className="font-mono text-[0.85rem] wrap-anywhere">
      {children}
    </span>
  )
}
