import type { ServerContent } from '@proofdesk/contract/certificates'
import { lazy, Suspense } from 'react'

const ProofMenu = lazy(() => import('./proof-menu.tsx'))

/** The menu of a proof for whoever may change it; others load nothing of it. */
export function LateProofMenu({ content }: { content: ServerContent }) {
  if (!Object.values(content.may).includes(true)) return null
  return (
    <Suspense fallback={<span className="inline-block h-8 w-9" />}>
      <ProofMenu content={content} />
    </Suspense>
  )
}
