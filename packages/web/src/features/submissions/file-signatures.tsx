import type { UploadSignature } from '@proofdesk/contract/submissions'
import { BadgeCheck, BadgeQuestionMark, BadgeX, type LucideIcon } from 'lucide-react'
import { m } from '../../paraglide/messages.js'
import { Sentence } from '../../ui/sentence.tsx'
import { DateTime } from '../../ui/time.tsx'

const SAY: Record<UploadSignature['kind'], Record<UploadSignature['state'], (name: string) => string>> = {
  signature: {
    whole: (name) => m.signature_whole({ name }),
    part: (name) => m.signature_part({ name }),
    broken: (name) => m.signature_broken({ name }),
    unknown: (name) => m.signature_unknown({ name }),
  },
  time_stamp: {
    whole: (name) => m.time_stamp_whole({ name }),
    part: (name) => m.time_stamp_part({ name }),
    broken: (name) => m.time_stamp_broken({ name }),
    unknown: (name) => m.time_stamp_unknown({ name }),
  },
}

const FACES: Record<UploadSignature['state'], { icon: LucideIcon; tone: string }> = {
  whole: { icon: BadgeCheck, tone: 'text-ok' },
  part: { icon: BadgeQuestionMark, tone: 'text-warn' },
  broken: { icon: BadgeX, tone: 'text-seal' },
  unknown: { icon: BadgeQuestionMark, tone: 'text-ink-2' },
}

/** Who signed an uploaded file, when, and whether that still holds; nothing where nobody did. */
export function FileSignatures({ signatures }: { signatures: readonly UploadSignature[] }) {
  if (signatures.length === 0) return null
  return (
    <div className="grid gap-2 text-sm wrap-anywhere">
      <ul className="grid gap-2">
        {signatures.map((signature, index) => (
          <SignatureLine key={`${index} ${signature.signer}`} signature={signature} />
        ))}
      </ul>
      <p className="text-ink-2">{m.signature_note()}</p>
    </div>
  )
}

function SignatureLine({ signature }: { signature: UploadSignature }) {
  const { kind, state, signer, issuer, signed_at, time_by } = signature
  const { icon: Icon, tone } = FACES[state]
  return (
    <li className="flex gap-2">
      <Icon aria-hidden size={17} className={`mt-0.5 shrink-0 ${tone}`} />
      <div className="min-w-0">
        <p>
          <Sentence say={SAY[kind][state]} text={signer ?? m.signature_nobody()} />
        </p>
        <p className="text-ink-2">
          {signed_at !== null && (
            <>
              {time_by === 'authority' ? m.signature_time_authority() : m.signature_time_signer()}{' '}
              <DateTime at={signed_at} />.{' '}
            </>
          )}
          {issuer !== null && <Sentence say={(name) => m.signature_issuer({ name })} text={issuer} />}
        </p>
      </div>
    </li>
  )
}
