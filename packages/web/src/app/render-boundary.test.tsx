import { act, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { Suspense } from 'react'
import { expect, test, vi } from 'vitest'
import { readSession } from '../lib/session.ts'
import { openApp } from '../testing/open-app.tsx'
import { useRealServer } from '../testing/real-server.ts'
import { signIn } from '../testing/sign-in.ts'
import { loadLazily } from '../ui/lazy-code.tsx'
import { RenderBoundary } from './render-boundary.tsx'

function BrokenScreen(): never {
  throw new Error('a fault in a screen')
}

test('8.42 a screen that fails to render says so and can be refreshed', () => {
  // React reports the fault there as well.
  const report = vi.spyOn(console, 'error').mockReturnValue()
  render(
    <RenderBoundary>
      <BrokenScreen />
    </RenderBoundary>,
  )
  expect(screen.getByRole('alert').textContent).toContain('Something went wrong. Please try refreshing the page.')
  expect(screen.getByRole('button', { name: 'Refresh the page' })).toBeDefined()
  report.mockRestore()
})

test('a screen whose code did not come is asked for again, when the person says so or the network is back', async () => {
  const report = vi.spyOn(console, 'error').mockReturnValue()
  let isAway = true
  const load = vi.fn(() =>
    isAway ? Promise.reject(new TypeError('Failed to fetch')) : Promise.resolve({ default: () => <p>Here</p> }),
  )
  const Late = loadLazily(load)
  render(
    <RenderBoundary>
      <Suspense>
        <Late />
      </Suspense>
    </RenderBoundary>,
  )
  const person = userEvent.setup()
  await person.click(await screen.findByRole('button', { name: 'Try again' }))
  await expect.poll(() => load.mock.calls.length).toBe(2)
  await screen.findByRole('button', { name: 'Try again' })

  // It does not ask on and on by itself.
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(load.mock.calls.length).toBe(2)
  isAway = false
  act(() => void dispatchEvent(new Event('online')))
  await screen.findByText('Here')
  expect(screen.queryByRole('alert')).toBeNull()
  report.mockRestore()
})

test('8.42 a frame of signed-in people that fails says so too', async () => {
  const report = vi.spyOn(console, 'error').mockReturnValue()
  const server = await useRealServer()
  await server.createUser({ username: 'ada' })
  await signIn('ada')
  const fault = { get: () => BrokenScreen(), enumerable: false }
  const session = readSession()
  if (session.phase === 'signed-in') Object.defineProperty(session.user, 'mail_refusal', fault)
  openApp('/dashboard')
  expect((await screen.findByRole('alert')).textContent).toContain('Something went wrong.')
  report.mockRestore()
})
