import { COOKIE_NAMES } from '@proofdesk/contract/cookies'
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openApp, readPath } from '../../testing/open-app.tsx'
import { useRealServer } from '../../testing/real-server.ts'

test.each([
  ['About', '/about', 'What the certified PDF holds'],
  ['Contact', '/contact', 'Open a ticket'],
  ['Privacy', '/privacy', 'In your browser'],
  ['Terms', '/terms', 'What you upload'],
])('2.20 the footer leads to %s, a page to be read', async (word, path, section) => {
  await useRealServer()
  const user = openApp('/')
  await user.click(within(await screen.findByRole('contentinfo')).getByRole('link', { name: word }))
  await screen.findByRole('heading', { level: 1, name: word })
  expect(readPath()).toBe(path)
  screen.getByRole('heading', { level: 2, name: section })
})

test('the page on privacy says of every cookie what it is for', async () => {
  await useRealServer()
  openApp('/privacy')
  await screen.findByRole('heading', { level: 2, name: 'Cookies' })
  for (const name of COOKIE_NAMES)
    expect(screen.getByText(name, { selector: 'dt' }).nextSibling?.textContent).toMatch(/./)
})

test('contact leads to tickets', async () => {
  await useRealServer()
  const user = openApp('/contact')
  await user.click(await screen.findByRole('link', { name: 'Go to tickets' }))
  expect(readPath()).toBe('/ticket')
})

test('2.20 the footer has the four links of the specification, and About leads to the API', async () => {
  await useRealServer()
  const user = openApp('/about')
  const footer = within(await screen.findByRole('contentinfo'))
  expect(footer.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
    '/about',
    '/contact',
    '/privacy',
    '/terms',
  ])
  await user.click(await screen.findByRole('link', { name: 'API reference' }))
  expect(readPath()).toBe('/api')
})
