import { mkdir } from 'node:fs/promises'
import { expect, test, type Page } from '@playwright/test'
import { makePdf, makePng } from '@proofdesk/certify/testing'
import { makeOpensslSigner, signBy } from '@proofdesk/certify/testing/openssl-signer'
import { signPdf } from '@proofdesk/certify/testing/signed-pdfs'
import { findAccessibilityFaults, scrollsSideways, watchComplaints } from './support/accessibility.ts'
import { signInByApi, type ApiClient } from './support/api.ts'
import { keepSignedIn } from './support/people.ts'
import { startServer, type RunningServer } from './support/running-server.ts'

let server: RunningServer
let ada: ApiClient
test.beforeAll(async () => {
  server = await startServer()
  for (const username of ['ada']) await server.createUser({ username })
  for (const username of ['sam', 'sol', 'sid']) await server.createUser({ username, role: 'staff' })
  ada = await signInByApi(server, 'ada')
})
test.afterAll(() => server.stop())

/** A collection with two files, with the reviewers: a photo and three pages, in one review document. */
async function send(title: string): Promise<number> {
  const id = Number((await ada.post('/collections/', { title }))['id'])
  await ada.upload(id, 'Photo', { name: 'photo.png', buffer: await makePng() })
  await ada.upload(id, 'Lease', { name: 'lease.pdf', buffer: makePdf({ pages: 3, text: title }) })
  await ada.post(`/collections/${id}/save/`, {})
  await expect
    .poll(async () => (await ada.get(`/collections/${id}`))['submission'])
    .toMatchObject({ document: 'ready' })
  return id
}

async function openDesk(page: Page, username: string, id: number): Promise<void> {
  await keepSignedIn(page, server, username)
  await page.goto(`/content/${id}`)
  await expect(page.getByRole('article', { name: 'Page 1 of 4' }).locator('canvas')).toBeVisible()
}

test('2.151 2.153 a reviewer goes through the queue without the mouse: views, comments, approves, rejects, goes on', async ({
  browser,
}) => {
  for (const title of ['First', 'Second', 'Third']) await send(title)
  const context = await browser.newContext({ baseURL: server.url, viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  const complaints = watchComplaints(page)
  await keepSignedIn(page, server, 'sam')
  await page.goto('/dashboard')
  const { keyboard } = page
  const heading = (title: string) => page.getByRole('heading', { level: 1, name: `Collection Management: ${title}` })

  await test.step('the dashboard offers what waits, the oldest first', async () => {
    await expect(page.getByText('3 collections wait for your decision')).toBeVisible()
    await keyboard.press('Alt+ArrowDown')
    await expect(heading('First')).toBeVisible()
    await expect(page.getByText('1 of 3 waiting')).toBeVisible()
  })

  await test.step('the documents stand beside the comments and the decision', async () => {
    const sheet = page.getByRole('article', { name: 'Page 1 of 4' })
    await expect(sheet.locator('canvas')).toBeVisible()
    for (const part of [
      sheet,
      page.getByRole('button', { name: 'Approve' }),
      page.getByRole('textbox', { name: 'Comment' }),
    ])
      await expect(part).toBeInViewport()
    await keyboard.press('Alt+o')
    await keyboard.press('PageDown')
    await expect(page.getByRole('textbox', { name: 'Page number' })).toHaveValue('2')
    await keyboard.press('Alt+PageUp')
    await expect(page.getByRole('textbox', { name: 'Page number' })).toHaveValue('1')
    await keyboard.press('Alt+PageDown')
    await expect(page.getByRole('textbox', { name: 'Page number' })).toHaveValue('2')
    await expect(page.getByRole('article', { name: 'Page 2 of 4' }).locator('canvas')).toBeInViewport()
  })

  await test.step('a comment, without leaving', async () => {
    await keyboard.press('Alt+c')
    await keyboard.type('Page 2 is faint, but legible.')
    // Here the keys belong to the text.
    await keyboard.press('Alt+ArrowDown')
    await expect(heading('First')).toBeVisible()
    await keyboard.press('Tab')
    await keyboard.press('Enter')
    await expect(page.getByText('Comment created')).toBeVisible()
  })

  await test.step('approved, it leads to the dashboard, where the next one has the focus', async () => {
    await keyboard.press('Alt+a')
    const dialog = page.getByRole('dialog', { name: 'Approve collection' })
    await expect(dialog.getByLabel('Admin description')).toBeFocused()
    await keyboard.type('Checked.')
    await dialog.getByLabel('No expiry').focus()
    await keyboard.press('Space')
    await dialog.getByRole('button', { name: 'Approve' }).focus()
    await keyboard.press('Enter')
    await expect(page).toHaveURL(/\/dashboard$/)
    await expect(page.getByRole('link', { name: 'Next collection: Second' })).toBeFocused()
    await keyboard.press('Enter')
    await expect(heading('Second')).toBeVisible()
    await expect(page.getByText('1 of 2 waiting')).toBeVisible()
  })

  await test.step('rejected, the same; after the last comes the first', async () => {
    await keyboard.press('Alt+ArrowDown')
    await expect(heading('Third')).toBeVisible()
    await expect(page.getByText('2 of 2 waiting')).toBeVisible()
    await keyboard.press('Alt+ArrowDown')
    await expect(heading('Second')).toBeVisible()
    await expect(page.getByText('1 of 2 waiting')).toBeVisible()
    await keyboard.press('Alt+ArrowUp')
    await expect(heading('Third')).toBeVisible()
    await keyboard.press('Alt+r')
    const dialog = page.getByRole('dialog', { name: 'Reject collection' })
    await expect(dialog.getByLabel('Admin description')).toBeFocused()
    await keyboard.type('Page 3 is unsigned.')
    await dialog.getByRole('button', { name: 'Reject' }).focus()
    await keyboard.press('Enter')
    await expect(page).toHaveURL(/\/dashboard$/)
    await expect(page.getByRole('link', { name: 'Next collection: Second' })).toBeFocused()
  })

  await test.step('with nothing left there is nothing to go to', async () => {
    await keyboard.press('Enter')
    await expect(heading('Second')).toBeVisible()
    await expect(page.getByText('1 of 1 waiting')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Next collection' })).toBeDisabled()
    await keyboard.press('Alt+r')
    await keyboard.type('Not this one.')
    await page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click()
    await expect(page.getByText('Nothing waits for your decision')).toBeVisible()
  })
  expect(complaints).toEqual([])
  await context.close()
})

test('a decision takes at most three keystrokes besides its text, the way to the next one included', async ({
  browser,
}) => {
  const id = await send('First key')
  for (const title of ['Second key', 'Third key', 'Fourth key']) await send(title)
  const context = await browser.newContext({ baseURL: server.url, viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  let strokes = 0
  const press = async (...keys: string[]) => {
    for (const key of keys) {
      strokes += 1
      await page.keyboard.press(key)
    }
  }
  const next = (title: string) => page.getByRole('link', { name: `Next collection: ${title}` })
  const goOn = async (title: string) => {
    await expect(next(title)).toBeFocused({ timeout: 20_000 })
    strokes = 0
    await press('Enter')
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Approve' })).toBeVisible()
  }
  const description = page.getByLabel('Admin description')
  await keepSignedIn(page, server, 'sol')
  await page.goto(`/content/${id}`)
  await expect(page.getByRole('button', { name: 'Approve' })).toBeVisible()

  await test.step('the first approval needs no term: it is for good', async () => {
    await press('Alt+a')
    await expect(description).toBeFocused()
    await page.keyboard.type('Checked.')
    await expect(page.getByRole('radio', { name: 'No expiry' })).toBeChecked()
    await press('ControlOrMeta+Enter')
    await expect(page).toHaveURL(/\/dashboard$/, { timeout: 20_000 })
    expect(strokes).toBe(2)
  })

  await test.step('from then on it is remembered', async () => {
    await goOn('Second key')
    await press('Alt+a')
    await expect(description).toBeFocused()
    await page.keyboard.type('Checked.')
    await press('ControlOrMeta+Enter')
    await expect(page).toHaveURL(/\/dashboard$/, { timeout: 20_000 })
    expect(strokes).toBeLessThanOrEqual(3)
  })

  await test.step('rejecting takes no more', async () => {
    await goOn('Third key')
    await press('Alt+r')
    await expect(description).toBeFocused()
    await page.keyboard.type('Page 3 is unsigned.')
    await press('ControlOrMeta+Enter')
    await expect(next('Fourth key')).toBeFocused()
    expect(strokes).toBeLessThanOrEqual(3)
  })
  const { results } = (await ada.get('/collections/?search=key')) as { results: { title: string; expire_time: null }[] }
  expect(results.map(({ title, expire_time }) => [title, expire_time])).toContainEqual(['Second key', null])
  await context.close()
})

test('2.151 11.16 the desk shows one document with the files as its parts, and the originals one press away', async ({
  browser,
}) => {
  const id = await send('Desk')
  const context = await browser.newContext({ baseURL: server.url, viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  await openDesk(page, 'sol', id)
  const pageNumber = page.getByRole('textbox', { name: 'Page number' })
  const part = page.getByRole('combobox', { name: 'Document' })
  const original = page.getByRole('button', { name: 'Original' })

  await page.getByRole('button', { name: /^View Lease/ }).click()
  await expect(pageNumber).toHaveValue('2')
  await expect(part.getByRole('option', { selected: true })).toHaveText('2. Lease (lease.pdf)')
  await expect(page.getByRole('article', { name: 'Page 2 of 4' })).toContainText('Desk 1')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await part.selectOption({ label: '1. Photo (photo.png)' })
  await expect(pageNumber).toHaveValue('1')

  await original.click()
  const viewer = page.getByRole('dialog', { name: 'Photo' })
  await expect(viewer.getByRole('img', { name: 'photo.png' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(viewer).toHaveCount(0)

  await page.getByRole('button', { name: /^View Lease/ }).click()
  await ada.post('/comments/', { collection: id, text: 'One more thing.' })
  await expect(page.getByText('One more thing.')).toBeVisible()
  await expect(pageNumber).toHaveValue('2')
  await context.close()
})

test('11.17 the desk tells who signed a file, and whether that still holds', async ({ browser }) => {
  const folder = test.info().outputPath()
  await mkdir(folder, { recursive: true })
  const signer = await makeOpensslSigner(folder, 'P-256', '/O=Registry/CN=Grace Hopper')
  const id = Number((await ada.post('/collections/', { title: 'Signed' }))['id'])
  await ada.upload(id, 'Lease', { name: 'lease.pdf', buffer: await signPdf({ sign: signBy(folder, signer) }) })
  await ada.post(`/collections/${id}/save/`, {})
  const context = await browser.newContext({ baseURL: server.url })
  const page = await context.newPage()
  await keepSignedIn(page, server, 'sam')
  await page.goto(`/content/${id}`)
  const desk = page.getByRole('region', { name: 'Documents', exact: true })
  await expect(desk.getByText('Signature of Grace Hopper: holds for the file as it is.')).toBeVisible()
  expect(await findAccessibilityFaults(page)).toEqual([])
  await context.close()
})

test('11.16 an owner reads the review document from the submissions', async ({ browser }) => {
  const id = await send('Mine as well')
  const context = await browser.newContext({ baseURL: server.url })
  const page = await context.newPage()
  await keepSignedIn(page, server, 'ada')
  await page.goto(`/content/${id}`)
  await page.getByRole('button', { name: 'Read the review document' }).click()
  const viewer = page.getByRole('dialog', { name: 'Review document' })
  await expect(viewer.getByRole('article', { name: 'Page 1 of 4' }).locator('canvas')).toBeVisible()
  await context.close()
})

test('2.154 a decision that somebody else takes leaves the desk standing, and the queue goes on', async ({
  browser,
}) => {
  const [id, next] = [await send('Taken away'), await send('Left over')]
  const context = await browser.newContext({ baseURL: server.url, viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  await openDesk(page, 'sid', id)
  const sol = await signInByApi(server, 'sol')
  await sol.post(`/admin/${id}/reject/`, { admin_desc: 'Not signed.' })
  await expect(page.getByRole('button', { name: 'Approve' })).toHaveCount(0)
  await expect(page.getByRole('article', { name: 'Page 1 of 4' })).toBeVisible()
  await page.getByRole('link', { name: /^Next collection/ }).click()
  await expect(page).toHaveURL(new RegExp(`/content/${next}$`))
  await context.close()
})

test('a collection that does not wait stays off the desk, also for who comes back to it from one that waits', async ({
  browser,
}) => {
  const decided = await send('Decided')
  await (await signInByApi(server, 'sol')).post(`/admin/${decided}/reject/`, { admin_desc: 'Page 2 is missing.' })
  await send('Waiting')
  const page = await (await browser.newContext({ baseURL: server.url })).newPage()
  await keepSignedIn(page, server, 'sam')
  await page.goto(`/content/${decided}`)
  const desk = page.getByRole('region', { name: 'Documents', exact: true })
  await page
    .getByRole('button', { name: 'Next collection' })
    .or(page.getByRole('link', { name: 'Next collection' }))
    .click()
  await expect(desk).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1, name: 'Collection Management: Decided' })).toBeVisible()
  await expect(page.getByRole('table', { name: 'Content' })).toBeVisible()
  await expect(desk).toHaveCount(0)
  await page.context().close()
})

test('2.155 on a phone the parts of the desk stand one under the other, with a bar to jump between them', async ({
  browser,
}) => {
  const id = await send('Pocket')
  const context = await browser.newContext({
    baseURL: server.url,
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  })
  const phone = await context.newPage()
  await openDesk(phone, 'sol', id)
  const bar = phone.getByRole('navigation', { name: 'Parts of this review' })
  await bar.getByRole('button', { name: 'Comments' }).tap()
  await expect(phone.getByRole('textbox', { name: 'Comment' })).toBeInViewport()
  await bar.getByRole('button', { name: 'Decision' }).tap()
  await expect(phone.getByRole('button', { name: 'Approve' })).toBeInViewport()
  await bar.getByRole('button', { name: 'Documents' }).tap()
  await expect(phone.getByRole('article', { name: 'Page 1 of 4' })).toBeInViewport()
  expect(await scrollsSideways(phone)).toBe(false)
  await context.close()
})

test('2.156 an owner has neither the desk nor the queue', async ({ browser }) => {
  const id = await send('Mine')
  const context = await browser.newContext({ baseURL: server.url })
  const page = await context.newPage()
  await keepSignedIn(page, server, 'ada')
  await page.goto('/dashboard')
  await expect(page.getByText(/wait for your decision/)).toHaveCount(0)
  await page.goto(`/content/${id}`)
  await expect(page.getByText('lease.pdf', { exact: true })).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Review queue' })).toHaveCount(0)
  await expect(page.getByRole('region', { name: 'Documents' })).toHaveCount(0)
  await context.close()
})
