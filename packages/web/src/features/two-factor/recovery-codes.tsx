import { Download } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { focusHeading } from '../../ui/focus-heading.ts'
import { SectionSheet } from '../../ui/section-sheet.tsx'
import { forgetFreshCodes, useFreshCodes } from './fresh-codes.ts'
import { noteCodesKept } from './unkept-codes.ts'

const FILE_NAME = 'proofdesk-recovery-codes.txt'

/** On the profile, right after they were made, until they are put away; nobody can see them again. */
export function FreshRecoveryCodes() {
  const codes = useFreshCodes()
  return codes && <RecoveryCodes key={codes[0]} codes={codes} />
}

function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    place.current?.focus()
  }, [])
  return (
    <div ref={place} tabIndex={-1} className="max-w-140 focus:outline-none">
      <SectionSheet title={m.recovery_title()} lead={m.recovery_lead()}>
        <RecoveryList codes={codes} />
      </SectionSheet>
    </div>
  )
}

function RecoveryList({ codes }: { codes: readonly string[] }) {
  return (
    <div className="grid gap-5">
      <div className="relative rounded-control border border-line bg-sunk p-4">
        <ul aria-label={m.recovery_list()} dir="ltr" className="grid gap-x-6 gap-y-1.5 font-mono sm:grid-cols-2">
          {codes.map((code) => (
            <li key={code} className="text-[0.933rem] whitespace-nowrap">
              {code}
            </li>
          ))}
        </ul>
        <div className="mt-3 flex items-center justify-between gap-2 border-t border-line pt-3">
          <p className="text-sm text-ink-2">{m.recovery_once()}</p>
          <CopyButton text={codes.join('\n')} label={m.recovery_copy()} onCopied={noteCodesKept} />
        </div>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button
          onClick={() => {
            saveAsFile(codes)
            noteCodesKept()
          }}
        >
          <Download aria-hidden size={16} />
          {m.recovery_download()}
        </Button>
        <Button
          kind="brand"
          onClick={() => {
            forgetFreshCodes()
            focusHeading()
          }}
        >
          {m.recovery_kept()}
        </Button>
      </div>
    </div>
  )
}

function saveAsFile(codes: readonly string[]): void {
  const text = `${m.recovery_file_heading({ host: location.host })}\n\n${codes.join('\n')}\n`
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = FILE_NAME
  link.click()
  // The download has begun by then; the codes must not stay in memory.
  setTimeout(() => URL.revokeObjectURL(url), 1000)
}
