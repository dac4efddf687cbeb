import { toProofLink } from '@proofdesk/contract/proof-link'
import { Suspense } from 'react'
import { loadLazily } from '../../ui/lazy-code.tsx'
import { m } from '../../paraglide/messages.js'
import { CopyButton } from '../../ui/copy-button.tsx'

const QrCode = loadLazily(() => import('../../ui/qr-code.tsx'))

/** The link that fills the verification page in, to copy, and as a code for a camera. */
export function ProofLink({ proofId, username }: { proofId: string; username: string }) {
  const link = toProofLink(location.origin, proofId, username)
  return (
    <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
      <div className="size-32 shrink-0 overflow-hidden rounded-control border border-line">
        <Suspense>
          <QrCode text={link} label={m.proof_link_qr()} />
        </Suspense>
      </div>
      <div className="min-w-0 grow basis-60 text-start">
        <p className="font-[560]">{m.proof_link_title()}</p>
        <p className="text-sm text-ink-2">{m.proof_link_text()}</p>
        <p className="mt-1.5 flex items-start gap-1.5">
          <span dir="ltr" className="min-w-0 font-mono text-[0.8rem] leading-7 wrap-anywhere">
            {link}
          </span>
          <CopyButton text={link} label={m.proof_link_copy()} />
        </p>
      </div>
    </div>
  )
}
