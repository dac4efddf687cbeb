import { Suspense, useState } from 'react'
import { loadLazily } from '../../ui/lazy-code.tsx'
import { useLoadedAhead } from '../../ui/use-loaded-ahead.ts'
import type { TwoFactorDialogProps } from './two-factor-dialog.tsx'

const loadDialog = () => import('./two-factor-dialog.tsx')
const TwoFactorDialog = loadLazily(loadDialog)

/** The dialog of the code step, whatever the first step was; loaded by the time it is needed. */
export function CodeStep(props: TwoFactorDialogProps) {
  const [wasAsked, setWasAsked] = useState(false)
  useLoadedAhead(loadDialog)
  // It stays from then on, so that it can fade away.
  if (props.request && !wasAsked) setWasAsked(true)
  return <Suspense>{wasAsked && <TwoFactorDialog {...props} />}</Suspense>
}
