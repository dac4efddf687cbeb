import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { MemoryRouter, useLocation } from 'react-router'
import { App } from '../app/app.tsx'
import { signIn } from './sign-in.ts'

/** Opens the whole app at a path, as a browser would. */
export function openApp(path: string) {
  render(
    <MemoryRouter initialEntries={[path]}>
      <App />
      <Address />
    </MemoryRouter>,
  )
  return userEvent.setup()
}

/** Opens it as somebody who is signed in. */
export async function openAs(username: string, path: string) {
  await signIn(username)
  return openApp(path)
}

/** Path and query the app is at now. */
export function readPath(): string {
  return screen.getByTestId('address').textContent
}

function Address() {
  const { pathname, search, hash } = useLocation()
  return (
    <span data-testid="address" data-hash={hash}>
      {pathname + search}
    </span>
  )
}
