import { cleanup, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { useGateway } from '../testing/gateway.ts'
import { openApp, openAs, readPath } from '../testing/open-app.tsx'
import { useRealServer } from '../testing/real-server.ts'
import { signIn } from '../testing/sign-in.ts'

interface Sight {
  role: string
  flags: { is_staff?: boolean; is_admin?: boolean; is_superuser?: boolean }
  greeting: string
  /** In the sidebar, from the top. */
  entries: string[]
  /** On the dashboard. */
  tiles: string[]
}

const TILES = ['Collection', 'Server Content', 'Tickets']

/** Specification section 2, sidebar and dashboard. */
const SIGHTS: Sight[] = [
  {
    role: '2.38 2.64 2.68 an ordinary user',
    flags: {},
    greeting: 'Welcome, viewer',
    entries: ['Home', 'Dashboard', 'Profile', 'Collection', 'Server Content', 'Tickets'],
    tiles: TILES,
  },
  {
    role: '2.39 2.65 6.27 staff',
    flags: { is_staff: true },
    greeting: 'Welcome, Staff viewer',
    entries: ['Home', 'Dashboard', 'Profile', 'Collection', 'Server Content'],
    tiles: TILES,
  },
  {
    role: '2.40 2.66 6.28 an admin',
    flags: { is_admin: true },
    greeting: 'Welcome, Admin viewer',
    entries: ['Home', 'Dashboard', 'Profile', 'Collection', 'Tickets', 'Users'],
    tiles: [],
  },
  {
    role: '2.41 2.67 a superuser',
    flags: { is_superuser: true },
    greeting: 'Welcome, Super User viewer',
    entries: [
      'Home',
      'Dashboard',
      'Profile',
      'Collection',
      'Server Content',
      'Tickets',
      'Users',
      'Mail',
      'Health',
      'Audit',
    ],
    tiles: TILES,
  },
]

test.each(SIGHTS)('$role sees the greeting, sidebar entries and tiles of that role', async (sight) => {
  const server = await useRealServer()
  await server.createUser({ username: 'viewer', ...sight.flags })
  await openAs('viewer', '/dashboard')
  await screen.findByRole('heading', { name: sight.greeting })
  const sidebar = screen.getAllByRole('navigation', { name: 'Main' })[0]
  const entries = within(sidebar as HTMLElement).getAllByRole('listitem')
  expect(entries.map((entry) => entry.textContent)).toEqual(sight.entries)
  const bar = screen.queryByRole('navigation', { name: 'Notification bar' })
  const tiles = bar ? within(bar).getAllByRole('link') : []
  expect(tiles.map((tile) => tile.textContent.replace(/\W*\d*$/, ''))).toEqual(sight.tiles)
})

test('2.21 a visitor’s top bar has Home, Ticket, Login and Register', async () => {
  await useRealServer()
  openApp('/')
  const bar = within(await screen.findByRole('banner'))
  const links = bar.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])
  // Verifying stands beside the specification's four: strangers come for it.
  expect(links.slice(-5)).toEqual([
    ['Home', '/'],
    ['Verify', '/service-content'],
    ['Ticket', '/ticket'],
    ['Login', '/login'],
    ['Register', '/register'],
  ])
  for (const name of ['Logout', 'Notifications']) expect(bar.queryByRole('button', { name })).toBeNull()
  expect(screen.queryByRole('link', { name: 'Dashboard' })).toBeNull()
})

test('2.22 2.23 2.37 2.71 signed in, the top bar has Logout, and a Dashboard link only where no sidebar stands', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'ada' })
  await openAs('ada', '/')
  const onLanding = within(await screen.findByRole('banner'))
  await onLanding.findByRole('button', { name: 'Logout' })
  expect(onLanding.getByRole('link', { name: 'Dashboard' }).getAttribute('href')).toBe('/dashboard')
  expect(screen.queryByRole('link', { name: 'Profile' })).toBeNull()
  cleanup()
  openApp('/collection')
  await screen.findByRole('heading', { name: 'Collection Management' })
  const inside = within(screen.getByRole('banner'))
  expect(inside.getByRole('button', { name: 'Logout' })).toBeDefined()
  expect(inside.queryByRole('link', { name: 'Dashboard' })).toBeNull()
})

test('2.23 the top bar says who is signed in, and leads to their profile', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'ada' })
  await signIn('ada')
  for (const path of ['/', '/collection']) {
    openApp(path)
    const link = await within(await screen.findByRole('banner')).findByRole('link', { name: 'Signed in as ada' })
    expect([link.textContent, link.getAttribute('href')]).toEqual(['ada', '/profile'])
    cleanup()
  }
})

test('2.19 2.43 2.44 2.45 2.46 2.48 the landing page has a hero, three benefit cards, the way to verify and Get Started', async () => {
  await useRealServer()
  openApp('/')
  await screen.findByRole('heading', { level: 1 })
  expect(screen.getByText(/A third party can verify a document with a Proof ID and username/)).toBeDefined()
  expect(screen.getAllByRole('heading', { level: 3 }).map((card) => card.textContent)).toEqual([
    'Trusted Security',
    'Easy Management',
    'Fast Processing',
  ])
  expect(screen.getByRole('link', { name: 'Verify Document Now' }).getAttribute('href')).toBe('/service-content')
  expect(screen.getByRole('link', { name: 'Get Started' }).getAttribute('href')).toBe('/register')
  expect(screen.getByRole('link', { name: 'Verify a document' }).getAttribute('href')).toBe('/service-content')
  expect(screen.getByRole('contentinfo').textContent).toContain('Secure document verification and management')
})

test('2.47 signed in, the landing page calls to the dashboard', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'ada' })
  await openAs('ada', '/')
  const link = await screen.findByRole('link', { name: 'Go to Dashboard' })
  expect(link.getAttribute('href')).toBe('/dashboard')
  expect(screen.queryByRole('link', { name: 'Get Started' })).toBeNull()
})

test.each(['/dashboard', '/collection', '/content/1', '/profile', '/2fa-setup', '/server-content'])(
  '2.7 2.8 2.9 2.10 2.11 2.12 %s sends a visitor to the sign-in',
  async (path) => {
    await useRealServer()
    openApp(path)
    await screen.findByRole('heading', { name: 'Login' })
    expect(readPath()).toBe('/login')
  },
)

test.each([
  { path: '/', heading: 'Proof that a document was reviewed and approved' },
  { path: '/login', heading: 'Login' },
  { path: '/register', heading: 'Create an Account' },
  { path: '/service-content', heading: 'Access Server Content' },
  { path: '/ticket', heading: 'Ticket Management' },
])('2.1 2.2 2.3 2.4 2.5 $path is open to a visitor', async ({ path, heading }) => {
  await useRealServer()
  openApp(path)
  await screen.findByRole('heading', { name: heading, hidden: true })
  expect(readPath()).toBe(path)
})

test('2.14 a guarded screen waits for the session check', async () => {
  const server = await useRealServer()
  const { refresh } = await server.signIn('ada')
  const gateway = await useGateway()
  gateway.trouble('POST /token/refresh/', 'late')
  localStorage.setItem('refresh', refresh ?? '')
  const { restoreSession } = await import('../lib/restore-session.ts')
  const restored = restoreSession()
  openApp('/profile')
  await expect.poll(() => gateway.calls).toContain('POST /token/refresh/')
  expect(readPath()).toBe('/profile')
  expect(screen.queryByLabelText('First Name')).toBeNull()
  gateway.release()
  await restored
  await screen.findByLabelText('First Name')
  expect(readPath()).toBe('/profile')
})
