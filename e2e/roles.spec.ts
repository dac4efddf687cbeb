import { expect, test, type Browser, type Page } from '@playwright/test'
import { makePdf } from '@proofdesk/certify/testing'
import { scrollsSideways } from './support/accessibility.ts'
import { approveByApi, signInByApi } from './support/api.ts'
import { waitUntilLoaded, watchLoading } from './support/loading.ts'
import { followMenu, keepSignedIn } from './support/people.ts'
import { startServer, type RunningServer } from './support/running-server.ts'

interface RoleSight {
  role: string
  username: string
  greeting: string
  /** Columns by the menu entry that leads to them. */
  columns: Record<string, string[]>
}

/** Specification sections 2 and 6. */
const SIGHTS: RoleSight[] = [
  {
    role: 'an ordinary user',
    username: 'ada',
    greeting: 'Welcome, ada',
    columns: {
      Collection: ['Title', 'Status', 'Locked', 'Proof ID', 'Admin Desc', 'Remaining Time', 'Actions'],
      'Server Content': ['PDF File', 'Collection Title', 'Staff', 'Created At'],
      Tickets: ['Title', 'Status'],
    },
  },
  {
    role: 'staff',
    username: 'sam',
    greeting: 'Welcome, Staff sam',
    columns: {
      Collection: ['Title', 'Username', 'Status', 'Locked', 'Proof ID', 'Admin Desc', 'Remaining Time', 'Actions'],
      'Server Content': ['PDF File', 'Collection Title', 'User Name', 'Created At'],
    },
  },
  {
    role: 'an admin',
    username: 'amy',
    greeting: 'Welcome, Admin amy',
    columns: {
      Tickets: ['Title', 'Username', 'Admin', 'Status'],
      Users: ['Username', 'Email', 'Active', 'Email Verified', '2FA', 'Admin', 'Staff', 'Date Joined'],
    },
  },
  {
    role: 'a superuser',
    username: 'sue',
    greeting: 'Welcome, Super User sue',
    columns: {
      Collection: [
        'Title',
        'Username',
        'Staff',
        'Status',
        'Locked',
        'Proof ID',
        'Admin Desc',
        'Remaining Time',
        'Actions',
      ],
      'Server Content': ['PDF File', 'Collection Title', 'User Name', 'Staff', 'Created At'],
      Tickets: ['Title', 'Username', 'Admin', 'Status'],
      Users: ['Username', 'Email', 'Active', 'Email Verified', '2FA', 'Admin', 'Staff', 'Date Joined', 'Actions'],
    },
  },
]

/** Headings that say more than the menu. */
const HEADINGS: Record<string, string> = {
  Collection: 'Collection Management',
  'Server Content': 'Server Content Management',
  Tickets: 'Ticket Management',
}

let server: RunningServer
test.beforeAll(async () => {
  server = await startServer()
  const accounts = { ada: 'user', sam: 'staff', amy: 'admin', sue: 'superuser' }
  for (const [username, role] of Object.entries(accounts)) await server.createUser({ username, role })
  const [ada, sam] = [await signInByApi(server, 'ada'), await signInByApi(server, 'sam')]
  const collection = Number((await ada.post('/collections/', { title: 'Lease' }))['id'])
  await ada.upload(collection, 'The lease', { name: 'lease.pdf', buffer: makePdf() })
  await ada.get(`/collections/${collection}/save/`)
  await approveByApi(sam, collection, { admin_desc: 'In order.', expire_time: null })
  await ada.post('/ticket/', { title: 'A question' })
})
test.afterAll(() => server.stop())

async function openSignedIn(browser: Browser, username: string): Promise<Page> {
  const context = await browser.newContext({ baseURL: server.url, viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  watchLoading(page)
  await keepSignedIn(page, server, username)
  await page.goto('/dashboard')
  return page
}

for (const { role, username, greeting, columns } of SIGHTS) {
  test(`${role} finds by the menu the tables of that role, with their columns`, async ({ browser }) => {
    const page = await openSignedIn(browser, username)
    await expect(page.getByRole('heading', { level: 1, name: greeting, exact: true })).toBeVisible()
    await waitUntilLoaded(page)
    for (const [screen, names] of Object.entries(columns)) {
      await followMenu(page, screen)
      await waitUntilLoaded(page)
      await expect(page.getByRole('heading', { level: 1, name: HEADINGS[screen] ?? screen, exact: true })).toBeVisible()
      await expect(page.getByRole('columnheader')).toHaveText(names)
    }
    await page.context().close()
  })
}

test('the bar of a visitor is seen whole on the smallest phones', async ({ browser }) => {
  const page = await (
    await browser.newContext({ baseURL: server.url, viewport: { width: 320, height: 568 } })
  ).newPage()
  await page.goto('/')
  const bar = page.getByRole('banner')
  for (const name of ['Home', 'Ticket', 'Login', 'Register'])
    await expect(bar.getByRole('link', { name, exact: true })).toBeInViewport({ ratio: 1 })
  expect(await scrollsSideways(page)).toBe(false)
  await page.context().close()
})
