import type { ServerContent } from '@proofdesk/contract/certificates'
import type { ProofChangeKind } from '@proofdesk/contract/proof-changes'
import { Suspense } from 'react'
import { loadLazily } from '../../ui/lazy-code.tsx'

const ProofDialogs = loadLazily(() => import('./proof-dialogs.tsx'))

/** A change that was chosen in the menu of a proof. */
export interface ChosenChange {
  content: ServerContent
  kind: ProofChangeKind
}

/** The dialog of the chosen change. It stands beside the rows: one of them may go while somebody writes. */
export function LateProofDialogs({ chosen, onClose }: { chosen: ChosenChange | undefined; onClose: () => void }) {
  if (!chosen) return null
  return (
    <Suspense>
      <ProofDialogs content={chosen.content} opened={chosen.kind} onClose={onClose} />
    </Suspense>
  )
}
