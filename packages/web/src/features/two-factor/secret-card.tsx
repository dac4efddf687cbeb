import type { beginSetup } from '@proofdesk/contract/two-factor'
import type { Out } from '@proofdesk/contract/route'
import { m } from '../../paraglide/messages.js'
import { CopyButton } from '../../ui/copy-button.tsx'

/** The secret as an image to scan, as text to type in, and as a link for an app on this device. */
export function SecretCard({ setup }: { setup: Out<typeof beginSetup> }) {
  // Four at a time reads best; nobody has to type the blanks.
  const groups = setup.secret.replace(/(.{4})(?=.)/g, '$1 ')
  return (
    <div className="grid gap-4">
      <img
        src={setup.qr_code}
        alt={m.two_factor_qr_alt()}
        width={232}
        height={232}
        className="mx-auto size-58 rounded-control border border-line"
      />
      <div className="rounded-control border border-line bg-sunk px-3.5 py-3">
        <p className="text-sm text-ink-2">{m.two_factor_secret_label()}</p>
        <div className="mt-1 flex items-start justify-between gap-2">
          <code dir="ltr" className="max-w-[20ch] font-mono text-[0.933rem] leading-7 wrap-anywhere">
            {groups}
          </code>
          <CopyButton text={setup.secret} label={m.two_factor_secret_copy()} />
        </div>
        <a
          href={setup.otpauth_url}
          className="mt-2 inline-block min-h-6 text-sm font-[560] text-brand underline underline-offset-3"
        >
          {m.two_factor_open_app()}
        </a>
      </div>
    </div>
  )
}
