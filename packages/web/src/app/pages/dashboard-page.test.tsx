import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openApp } from '../../testing/open-app.tsx'
import { useRealServer } from '../../testing/real-server.ts'
import { signIn } from '../../testing/sign-in.ts'

test.each([
  { greeting: 'Welcome, Super User ada', flags: { is_superuser: true, is_admin: true, is_staff: true } },
  { greeting: 'Welcome, Admin ada', flags: { is_admin: true, is_staff: true } },
  { greeting: 'Welcome, Staff ada', flags: { is_staff: true } },
  { greeting: 'Welcome, ada', flags: {} },
])('the dashboard greets by the highest role: $greeting', async ({ greeting, flags }) => {
  const server = await useRealServer()
  await server.createUser({ username: 'ada', ...flags })
  await signIn('ada')
  openApp('/dashboard')
  expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe(greeting)
})

test.each([
  { role: 'a superuser', flags: { is_superuser: true }, hasBar: true },
  { role: 'staff', flags: { is_staff: true }, hasBar: true },
  { role: 'an ordinary user', flags: {}, hasBar: true },
  { role: 'an admin', flags: { is_admin: true }, hasBar: false },
])('the notification bar and the entry Server Content for $role: $hasBar', async ({ flags, hasBar }) => {
  const server = await useRealServer()
  await server.createUser({ username: 'ada', ...flags })
  await signIn('ada')
  openApp('/dashboard')
  await screen.findByRole('heading', { level: 1 })
  expect(screen.queryAllByRole('navigation', { name: 'Notification bar' })).toHaveLength(hasBar ? 1 : 0)
  const sidebar = within(screen.getByRole('navigation', { name: 'Main' }))
  expect(sidebar.queryAllByRole('link', { name: 'Server Content' })).toHaveLength(hasBar ? 1 : 0)
})

test('the guide has three steps behind numbered buttons', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'ada' })
  await signIn('ada')
  const user = openApp('/dashboard')
  for (const [number, title] of [
    ['2', 'Manage Collections'],
    ['3', 'User Roles'],
    ['1', 'Welcome to Your Dashboard'],
  ] as const) {
    await user.click(await screen.findByRole('button', { name: `${number} ${title}` }))
    screen.getByRole('heading', { level: 2, name: title })
    screen.getByText(`Step ${number} of 3`)
  }
})
