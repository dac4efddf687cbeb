import { act, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useEffect } from 'react'
import { MemoryRouter, useLocation, useNavigate, type NavigateFunction } from 'react-router'
import { App } from '../app/app.tsx'
import { signIn } from './sign-in.ts'

let navigate: NavigateFunction | undefined

/**
 * Opens the whole app at a path, as a browser would.
 * @param before Paths that stand before it in the history.
 */
export function openApp(path: string, before: string[] = []) {
  render(
    <MemoryRouter initialEntries={[...before, path]} initialIndex={before.length}>
      <App />
      <Address />
    </MemoryRouter>,
  )
  return userEvent.setup()
}

/** Opens it as somebody who is signed in. */
export async function openAs(username: string, path: string, before: string[] = []) {
  await signIn(username)
  return openApp(path, before)
}

/** Presses the browser's Back. */
export function goBack(): void {
  act(() => void navigate?.(-1))
}

/** Path and query the app is at now. */
export function readPath(): string {
  return screen.getByTestId('address').textContent
}

function Address() {
  const { pathname, search, hash } = useLocation()
  const go = useNavigate()
  useEffect(() => {
    navigate = go
  }, [go])
  return (
    <span data-testid="address" data-hash={hash}>
      {pathname + search}
    </span>
  )
}
