import { certifiedFileName } from '@proofdesk/contract/certificates'
import { BadgeCheck, Download, ExternalLink } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatFileSize } from '../../lib/file-size.ts'
import { openBlob, saveBlob } from '../../lib/open-file.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { Rosette } from '../../ui/rosette.tsx'
import { UserText } from '../../ui/user-text.tsx'
import type { Verified } from './retrieve.ts'

/** A proof that holds, with its figure and its file. */
export function VerifiedProof({ proof: { proofId, username, pdf } }: { proof: Verified }) {
  return (
    <div className="flex flex-col items-center text-center">
      <Rosette seed={proofId} detail="large" className="size-60 text-seal" />
      <h2 className="mt-5 flex items-center gap-2 font-serif text-2xl leading-tight font-semibold">
        <BadgeCheck aria-hidden size={24} className="shrink-0 text-ok" />
        {m.verify_success()}
      </h2>
      <p className="mt-1.5 text-ink-2">{m.verify_success_text()}</p>
      <dl className="mt-5 grid w-full max-w-md gap-px overflow-hidden rounded-control border border-line bg-line text-start">
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
      <div className="mt-5 flex flex-wrap justify-center gap-2">
        <Button kind="brand" onClick={() => openBlob(pdf)}>
          <ExternalLink aria-hidden size={16} />
          {m.certificate_view()}
        </Button>
        <Button onClick={() => saveBlob(pdf, certifiedFileName(username))}>
          <Download aria-hidden size={16} />
          {m.certificate_download()}
        </Button>
      </div>
    </div>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap justify-between gap-x-4 bg-sheet px-3.5 py-2.5">
      <dt className="text-ink-2">{name}</dt>
      <dd className="min-w-0 font-[560]">{children}</dd>
    </div>
  )
}
