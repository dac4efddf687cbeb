import { expect, test, type Page } from '@playwright/test'
import { makePdf } from '@proofdesk/certify/testing'
import { watchComplaints } from './support/accessibility.ts'
import { approveByApi, signInByApi } from './support/api.ts'
import { waitUntilLoaded, watchLoading } from './support/loading.ts'
import { DESKTOP, expectInOrder, PHONE } from './support/looks.ts'
import { keepSignedIn } from './support/people.ts'
import { startServer, type RunningServer } from './support/running-server.ts'

/** Set to a folder to keep a picture of every screen, for looking at. */
const PICTURES = process.env['SCREEN_PICTURES']
const TITLE = 'Employment letter – Adaeze Okafor, with a title that goes on for so long that it has to be wrapped'

let server: RunningServer
let id = 0
let proofid = ''
test.beforeAll(async () => {
  server = await startServer()
  await server.createUser({ username: 'ada' })
  await server.createUser({ username: 'sam', role: 'staff' })
  const [ada, sam] = [await signInByApi(server, 'ada'), await signInByApi(server, 'sam')]
  id = Number((await ada.post('/collections/', { title: TITLE }))['id'])
  await ada.upload(id, 'Letter', { name: 'letter.pdf', buffer: makePdf() })
  await ada.post(`/collections/${id}/save/`, {})
  proofid = await approveByApi(sam, id, { admin_desc: 'Checked against the register.', expire_time: null })
})
test.afterAll(() => server.stop())

/** As it stands at both sizes, light and dark; the window is wide again then. */
async function lookAt(page: Page, name: string): Promise<void> {
  for (const size of [DESKTOP, PHONE]) {
    await page.setViewportSize(size)
    await waitUntilLoaded(page)
    await expectInOrder(page, size, async (look) => {
      if (PICTURES) await page.screenshot({ path: `${PICTURES}/${name} ${look}.png` })
    })
  }
  await page.setViewportSize(DESKTOP)
  await page.emulateMedia({ colorScheme: 'light' })
}

async function choose(page: Page, change: string): Promise<void> {
  await page.getByRole('button', { name: /^Options for the proof of Employment letter/ }).click()
  await page.getByRole('menuitem', { name: change }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
}

async function verify(page: Page): Promise<void> {
  await page.goto(`/service-content#${new URLSearchParams({ proofid, username: 'ada' })}`)
  await page.getByRole('button', { name: 'Verify Document' }).click()
}

test('13.15 13.19 13.20 a proof is revoked, verified as such, reinstated and given an expiry', async ({ browser }) => {
  const open = async (username: string): Promise<Page> => {
    const options = { baseURL: server.url, viewport: DESKTOP, reducedMotion: 'reduce' } as const
    const page = await (await browser.newContext(options)).newPage()
    watchLoading(page)
    if (username) await keepSignedIn(page, server, username)
    return page
  }
  const [sam, ada, stranger] = [await open('sam'), await open('ada'), await open('')]
  const complaints = [sam, ada, stranger].map((page) => watchComplaints(page))

  await test.step('staff revoke it from the list, for a reason', async () => {
    await sam.goto('/server-content')
    await choose(sam, 'Revoke…')
    await sam.getByRole('button', { name: 'Revoke', exact: true }).click()
    await expect(sam.getByText('Choose one of the reasons.')).toBeVisible()
    await lookAt(sam, 'revoke dialog')
    await sam.getByLabel('Reason').selectOption('What it states is not true')
    await sam.getByLabel('Note for staff').fill('The employer called on Monday.')
    await sam.getByRole('button', { name: 'Revoke', exact: true }).click()
    await expect(sam.getByText('The proof is revoked.')).toBeVisible()
    await expect(sam.getByRole('row').filter({ hasText: proofid })).toContainText(
      /Revoked on .*What it states is not true/,
    )
    await lookAt(sam, 'revoked in the list')
  })

  await test.step('its owner is told by the bell, and reads so in the lists and on the collection', async () => {
    await ada.goto('/collection')
    await expect(ada.getByRole('row').filter({ hasText: proofid })).toContainText('Revoked')
    await lookAt(ada, 'revoked among the collections')
    await ada.getByRole('button', { name: 'Notifications, 2 unread' }).click()
    await ada.getByRole('button', { name: /REVOKED_PROOF/ }).click()
    await expect(ada).toHaveURL('/server-content')
    await ada.goto(`/content/${id}`)
    await expect(ada.getByRole('heading', { name: 'Revoked' })).toBeVisible()
    await expect(ada.getByText('What it states is not true').first()).toBeVisible()
    await expect(ada.getByText('Proof revoked by')).toBeVisible()
    await expect(ada.getByText('The employer called on Monday.')).toHaveCount(0)
    await expect(ada.getByRole('button', { name: /^Options for the proof/ })).toHaveCount(0)
    await lookAt(ada, 'revoked collection')
  })

  await test.step('a stranger is told when and why, and gets no document', async () => {
    await verify(stranger)
    await expect(stranger.getByRole('heading', { name: 'Revoked' })).toBeVisible()
    await expect(stranger.getByRole('alert')).toContainText('What it states is not true')
    await expect(stranger.getByRole('button', { name: 'View PDF' })).toHaveCount(0)
    await lookAt(stranger, 'revoked, verified')
  })

  await test.step('staff undo it from the collection, where the note stands, and it verifies again', async () => {
    await sam.goto(`/content/${id}`)
    await choose(sam, 'Undo revocation…')
    await expect(sam.getByRole('dialog').getByText('The employer called on Monday.')).toBeVisible()
    await lookAt(sam, 'reinstate dialog')
    await sam.getByRole('button', { name: 'Undo revocation', exact: true }).click()
    await expect(sam.getByText('The revocation is undone.')).toBeVisible()
    await expect(sam.getByRole('heading', { name: 'Certified', exact: true })).toBeVisible()
    await stranger.goto('/')
    await verify(stranger)
    await expect(stranger.getByText('Document Verified Successfully!')).toBeVisible()
  })

  await test.step('staff give it an expiry, which the verification says, and once it is over that it has expired', async () => {
    await choose(sam, 'Change expiry…')
    await lookAt(sam, 'expiry dialog')
    await sam.getByRole('radio', { name: '2 years' }).check()
    await sam.getByRole('button', { name: 'Change expiry', exact: true }).click()
    await expect(sam.getByText('The expiry is changed.')).toBeVisible()
    await expect(sam.getByText('Expiry changed by')).toBeVisible()
    await lookAt(sam, 'collection with changes')
    const soon = new Date(Date.now() + 1500).toISOString()
    await (await signInByApi(server, 'sam')).post('/admin/proofs/expiry/', { proofid, expire_time: soon })
    await expect(async () => {
      await stranger.goto('/')
      await verify(stranger)
      await expect(stranger.getByRole('heading', { name: 'Expired' })).toBeVisible({ timeout: 2000 })
    }).toPass()
    await expect(stranger.getByRole('alert').locator('time')).toHaveAttribute('datetime', soon)
    await lookAt(stranger, 'expired, verified')
  })

  await test.step('each change was mailed to its owner', async () => {
    for (const subject of ['Revoked', 'In force again', 'New expiry'])
      await server.mailbox.waitFor('ada@example.test', new RegExp(`^${subject}: Employment letter`))
  })
  expect(complaints.flat()).toEqual([])
  for (const page of [sam, ada, stranger]) await page.context().close()
})
