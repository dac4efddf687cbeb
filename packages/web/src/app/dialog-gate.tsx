import { lazy, Suspense, useSyncExternalStore } from 'react'
import { readAsked, watchAsked } from '../ui/ask.ts'

const DialogHost = lazy(() => import('../ui/dialog-host.tsx').then(({ DialogHost: Host }) => ({ default: Host })))

/** Loads the dialogs with the first question or notice. */
export function DialogGate() {
  const asked = useSyncExternalStore(watchAsked, readAsked)
  return <Suspense>{asked && <DialogHost />}</Suspense>
}
