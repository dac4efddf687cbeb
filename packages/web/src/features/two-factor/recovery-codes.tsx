import { Download } from 'lucide-react'
import { PATHS } from '../../lib/paths.ts'
import { m } from '../../paraglide/messages.js'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'

const FILE_NAME = 'proofdesk-recovery-codes.txt'

/** Shown once, right after two-factor was switched on; nobody can see them again. */
export function RecoveryCodes({ codes }: { codes: string[] }) {
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
          <CopyButton text={codes.join('\n')} label={m.recovery_copy()} />
        </div>
      </div>
      <Button onClick={() => saveAsFile(codes)}>
        <Download aria-hidden size={16} />
        {m.recovery_download()}
      </Button>
      <ButtonLink to={PATHS.profile} kind="brand" className="min-h-10.5">
        {m.back_to_profile()}
      </ButtonLink>
    </div>
  )
}

function saveAsFile(codes: string[]): void {
  const text = `${m.recovery_file_heading({ host: location.host })}\n\n${codes.join('\n')}\n`
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = FILE_NAME
  link.click()
  // The download has begun by then; the codes must not stay in memory.
  setTimeout(() => URL.revokeObjectURL(url), 1000)
}
