import { certifiedFileName, serveServerContent } from '@proofdesk/contract/certificates'
import type { Collection } from '@proofdesk/contract/collections'
import { toProofLink } from '@proofdesk/contract/proof-link'
import { ArrowUpRight, Download, FileCheck2 } from 'lucide-react'
import { useState } from 'react'
import { wordsOf } from '../../lib/error-words.ts'
import { callFile } from '../../lib/call.ts'
import { openFile, saveBlob } from '../../ui/open-file.ts'
import { useBusy } from '../../lib/use-busy.ts'
import { m } from '../../paraglide/messages.js'
import { ErrorBanner } from '../../ui/banner.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Rosette } from '../../ui/rosette.tsx'
import { DateTime } from '../../ui/time.tsx'
import { useServerContent } from './api.ts'
import { ProofLink } from './proof-link.tsx'
import { LateProofDialogs, type ChosenChange } from './late-proof-dialogs.tsx'
import { LateProofMenu } from './late-proof-menu.tsx'
import { sayReason } from '../../lib/revocation-words.ts'

export interface CertificatePanelProps {
  collection: Pick<Collection, 'username' | 'is_active' | 'revoked_at'>
  proofid: string
}

/** The Proof ID of an approved collection with its figure, its certified PDF and the way to verify it. */
export function CertificatePanel({ collection, proofid }: CertificatePanelProps) {
  const [problem, setProblem] = useState<string>()
  const [isViewing, runView] = useBusy()
  const [isSaving, runSave] = useBusy()
  const [chosen, setChosen] = useState<ChosenChange>()
  const { username, revoked_at: revokedAt } = collection
  const isActive = collection.is_active && revokedAt === null
  const { data: content } = useServerContent(proofid)
  const query = { collection_proofid: proofid }

  async function attempt(work: () => Promise<void>) {
    setProblem(undefined)
    try {
      await work()
    } catch (error) {
      setProblem(wordsOf(error, m.certificate_failed()))
    }
  }

  const view = () => attempt(() => openFile(serveServerContent, { query }, certifiedFileName(username)))
  const download = () =>
    attempt(async () => saveBlob(await callFile(serveServerContent, { query }), certifiedFileName(username)))

  return (
    <section aria-labelledby="certificate" className="sheet flex flex-wrap items-center gap-x-7 gap-y-4 p-5">
      <Rosette
        seed={proofid}
        detail="large"
        className={`size-36 shrink-0 ${isActive ? 'text-seal' : 'text-line-strong'}`}
      />
      <div className="grid min-w-0 grow basis-72 gap-3">
        <h2 id="certificate" className="font-serif text-xl font-semibold">
          {sayTitle(collection)}
        </h2>
        <p className="flex flex-wrap items-center gap-1.5">
          <span className="sr-only">{m.collection_column_proofid()}</span>
          <span dir="ltr" className="font-mono text-lg">
            {proofid}
          </span>
          <CopyButton text={proofid} label={m.copy_proofid({ proofid })} />
        </p>
        <p className="text-ink-2">{sayText(collection)}</p>
        {revokedAt !== null && (
          <p className="font-[560] text-seal">
            {m.proof_revoked_at()} <DateTime at={revokedAt} />
            {content?.revocation_reason && <>: {sayReason(content.revocation_reason)}</>}
          </p>
        )}
        {problem && <ErrorBanner>{problem}</ErrorBanner>}
        <div className="flex flex-wrap gap-2">
          <Button kind="brand" busy={isViewing} onClick={() => void runView(view)}>
            {!isViewing && <FileCheck2 aria-hidden size={16} />}
            {m.certificate_view()}
          </Button>
          <Button busy={isSaving} onClick={() => void runSave(download)}>
            {!isSaving && <Download aria-hidden size={16} />}
            {m.certificate_download()}
          </Button>
          <ButtonLink to={toProofLink('', proofid, username)} kind="quiet">
            {m.certificate_verify()}
            <ArrowUpRight aria-hidden size={16} />
          </ButtonLink>
          {content && <LateProofMenu content={content} onChoose={setChosen} />}
        </div>
        <LateProofDialogs chosen={chosen} onClose={() => setChosen(undefined)} />
      </div>
      {isActive && (
        <div className="basis-full border-t border-line pt-4">
          <ProofLink proofId={proofid} username={username} />
        </div>
      )}
    </section>
  )
}

type Standing = Pick<Collection, 'is_active' | 'revoked_at'>

function sayTitle({ is_active: isActive, revoked_at: revokedAt }: Standing): string {
  if (revokedAt !== null) return m.certificate_revoked_title()
  return isActive ? m.certificate_title() : m.certificate_ended_title()
}

function sayText({ is_active: isActive, revoked_at: revokedAt }: Standing): string {
  if (revokedAt !== null) return m.certificate_revoked_text()
  return isActive ? m.certificate_text() : m.certificate_ended_text()
}
