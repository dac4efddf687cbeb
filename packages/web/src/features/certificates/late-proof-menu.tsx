import { Suspense } from 'react'
import type { ProofMenuProps } from './proof-menu.tsx'
import { loadLazily } from '../../ui/lazy-code.tsx'

const ProofMenu = loadLazily(() => import('./proof-menu.tsx'))

/** The menu of a proof for whoever may change it; others load nothing of it. */
export function LateProofMenu(props: ProofMenuProps) {
  if (!Object.values(props.content.may).includes(true)) return null
  return (
    <Suspense fallback={<span className="inline-block h-8 w-9" />}>
      <ProofMenu {...props} />
    </Suspense>
  )
}
