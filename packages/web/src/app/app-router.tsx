import { startTransition, useLayoutEffect, useState, type ReactNode } from 'react'
import { Router, UNSAFE_createBrowserHistory as createBrowserHistory, type Navigator } from 'react-router'
import { stepFromScreen } from '../lib/screen-steps.ts'

/** The router of browsers; what lies over a screen leaves the history before the screen is left. */
export function AppRouter({ children }: { children: ReactNode }) {
  const [history] = useState(() => createBrowserHistory({ v5Compat: true }))
  const [{ action, location }, setPlace] = useState({ action: history.action, location: history.location })
  useLayoutEffect(() => {
    return history.listen((place) => startTransition(() => setPlace(place)))
  }, [history])
  const [navigator] = useState<Navigator>(() => ({
    createHref: history.createHref,
    encodeLocation: history.encodeLocation,
    go: history.go,
    push: (to, state) => stepFromScreen(() => history.push(to, state)),
    replace: (to, state) => stepFromScreen(() => history.replace(to, state)),
  }))
  return (
    <Router location={location} navigationType={action} navigator={navigator}>
      {children}
    </Router>
  )
}
