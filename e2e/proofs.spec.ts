import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test, type Browser, type Page } from '@playwright/test'
import { openCertifyPool } from '@proofdesk/certify/pool'
import { makePdf } from '@proofdesk/certify/testing'
import { parseInstancePolicy } from '@proofdesk/proof/instance-policy'
import { openReceipt } from '@proofdesk/proof/receipt'
import { approveByApi, signInByApi } from './support/api.ts'
import { DESKTOP, expectInOrder, PHONE } from './support/looks.ts'
import { startServer, type RunningServer } from './support/running-server.ts'

// What a stranger can check without an account, and mostly without the server.

const ORIGINAL = makePdf({ pages: 1, text: 'Original' })

let server: RunningServer
let proofId: string
let certified: Buffer
test.beforeAll(async () => {
  server = await startServer()
  await server.createUser({ username: 'ada' })
  await server.createUser({ username: 'sam', role: 'staff' })
  proofId = await approveOne('Degree')
  const fields = new URLSearchParams({ proofid: proofId, username: 'ada' })
  const answer = await fetch(`${server.url}/backend/api/v1/service-content-servers/get-pdfs/?${fields}`)
  certified = Buffer.from(await answer.arrayBuffer())
})
test.afterAll(() => server.stop())

async function approveOne(title: string): Promise<string> {
  const [ada, sam] = [await signInByApi(server, 'ada'), await signInByApi(server, 'sam')]
  const id = Number((await ada.post('/collections/', { title }))['id'])
  await ada.upload(id, 'Paper', { name: 'paper.pdf', buffer: ORIGINAL })
  await ada.post(`/collections/${id}/save/`, {})
  return approveByApi(sam, id, { admin_desc: 'Fine', expire_time: null })
}

async function openPage(browser: Browser, path: string): Promise<Page> {
  const page = await (await browser.newContext({ baseURL: server.url, viewport: DESKTOP })).newPage()
  await page.goto(path)
  return page
}

async function verify(page: Page): Promise<void> {
  await page.getByLabel('Proof ID').fill(proofId)
  await page.getByLabel('Username').fill('ada')
  await page.getByRole('button', { name: 'Verify Document' }).click()
}

async function choose(page: Page, name: string, buffer: Buffer): Promise<void> {
  const choosing = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Choose a file' }).click()
  await (await choosing).setFiles({ name, mimeType: 'application/pdf', buffer })
}

/** Sealed anew by the operator's own key, around no proof. */
async function stripProof(): Promise<Buffer> {
  const database = new DatabaseSync(join(server.dataDir, 'proofdesk.sqlite'), { readOnly: true })
  const row = database.prepare('select revision0_size, revision0_sha256, revision0_facts from proofs').get() ?? {}
  database.close()
  const revision0 = certified.subarray(0, Number(row['revision0_size']))
  const path = join(server.dataDir, 'stripped.pdf')
  await writeFile(path, revision0)
  const certify = openCertifyPool({ keysDir: join(server.dataDir, 'keys'), workDir: server.dataDir })
  try {
    const [sha256, facts] = [String(row['revision0_sha256']), String(row['revision0_facts'])]
    const { update } = await certify.seal({ path, sha256, facts, signedAt: Date.now(), proof: null })
    return Buffer.concat([revision0, update])
  } finally {
    await certify.close()
  }
}

function change(pdf: Buffer): Buffer {
  const changed = Buffer.from(pdf)
  changed[3000]! ^= 1
  return changed
}

async function lookAround(page: Page): Promise<void> {
  await expectInOrder(page, DESKTOP)
  await page.setViewportSize(PHONE)
  await expectInOrder(page, PHONE)
}

test('14.30 a document that was looked up is checked by the browser, step by step', async ({ browser }) => {
  const page = await openPage(browser, '/service-content')
  await verify(page)
  await expect(page.getByText('Document Verified Successfully!')).toBeVisible()
  for (const step of [
    'The seal is whole: not a byte that it covers was changed since',
    'The entry commits to this very document, and to what is written on it',
    'It is entry 2 of a log of 3',
    'No independent witness has signed it',
    'It has not expired, as it was approved; a later change of that is not in the file',
  ])
    await expect(page.getByText(step)).toBeVisible()
  await lookAround(page)
})

test('15.23 whoever verifies a document can save what the instance says of it, signed', async ({ browser }) => {
  const page = await openPage(browser, '/service-content')
  await verify(page)
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save a signed receipt' }).click()
  const download = await saving
  // Browsers write a low line for the star, which some file systems refuse.
  expect(download.suggestedFilename()).toBe(`receipt_${proofId.replaceAll('*', '_')}.txt`)
  const policy = parseInstancePolicy(
    new Uint8Array(await (await fetch(`${server.url}/log/instance-policy`)).arrayBuffer()),
  )
  const receipt = await openReceipt(await readFile(await download.path(), 'utf8'), policy)
  const sha256 = createHash('sha256').update(certified).digest('hex')
  expect(receipt).toMatchObject({ proofId, verdict: 'valid', sha256, size: certified.length, revokedAt: null })
})

test('14.31 a document that the server changed is refused, whatever the server says of it', async ({ browser }) => {
  const page = await openPage(browser, '/service-content')
  await page.route('**/get-pdfs/**', (route) =>
    route.fulfill({ contentType: 'application/pdf', body: change(certified) }),
  )
  await verify(page)
  await expect(page.getByRole('alert')).toContainText('This file was altered')
  await expect(page.getByText('Document Verified Successfully!')).toBeHidden()
})

test('14.31 the document of another proof is refused in place of the one that was asked for', async ({ browser }) => {
  const page = await openPage(browser, '/service-content')
  await page.route('**/get-pdfs/**', (route) => route.fulfill({ contentType: 'application/pdf', body: certified }))
  await page.getByLabel('Proof ID').fill('7ZQK-3M9D-XW2C-VB4T-8')
  await page.getByLabel('Username').fill('ada')
  await page.getByRole('button', { name: 'Verify Document' }).click()
  await expect(page.getByRole('alert')).toContainText('This file was altered')
  await expect(page.getByText('Document Verified Successfully!')).toBeHidden()
})

test('14.37 a document whose proof the operator has taken out is not told as verified', async ({ browser }) => {
  const body = await stripProof()
  const page = await openPage(browser, '/service-content')
  await page.route('**/get-pdfs/**', (route) => route.fulfill({ contentType: 'application/pdf', body }))
  await verify(page)
  await expect(page.getByRole('heading', { name: 'Sealed here, but not in the log' })).toBeVisible()
  await expect(page.getByText('the public log knows nothing of this file').last()).toBeVisible()
  await expect(page.getByText('Document Verified Successfully!')).toBeHidden()
  await lookAround(page)
})

test('14.32 a certified PDF is judged where it is: nothing of it is uploaded', async ({ browser }) => {
  const page = await openPage(browser, '/service-content')
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET' || request.postData() !== null) sent.push(request.url())
  })
  await choose(page, 'certified.pdf', certified)
  await expect(page.getByRole('heading', { name: 'This certified PDF is genuine' })).toBeVisible()
  await expect(page.getByText('Degree', { exact: true })).toBeVisible()
  await expect(page.getByText(proofId)).toBeVisible()
  await lookAround(page)
  await page.setViewportSize(DESKTOP)

  await choose(page, 'changed.pdf', change(certified))
  await expect(page.getByRole('heading', { name: 'This file was altered' })).toBeVisible()
  await expect(page.getByText('The seal does not fit: this is not the file that was sealed')).toBeVisible()
  await lookAround(page)
  await page.setViewportSize(DESKTOP)

  await choose(page, 'longer.pdf', Buffer.concat([certified, Buffer.from('\n% a page\n')]))
  await expect(page.getByRole('heading', { name: 'This file was altered' })).toBeVisible()
  await choose(page, 'other.pdf', ORIGINAL)
  await expect(page.getByRole('heading', { name: 'No proof in this file' })).toBeVisible()
  expect(sent).toEqual([])
})

test('2.133 another link takes away what was found out of the document before', async ({ browser }) => {
  const page = await openPage(browser, '/service-content')
  await verify(page)
  await expect(page.getByText('Document Verified Successfully!')).toBeVisible()
  const other = new URLSearchParams({ proofid: '0000-0000-0000-0000-0', username: 'eve' })
  await page.goto(`/service-content#${other}`)
  await expect(page.getByLabel('Username')).toHaveValue('eve')
  await expect(page.getByText('Document Verified Successfully!')).toHaveCount(0)
  await expect(page.getByText('What is on record about the document will stand here.')).toBeVisible()

  // An answer that comes once another link is open belongs to nobody.
  const isAsked = ({ pathname }: URL) => pathname.endsWith('/get-pdfs/')
  const held = Promise.withResolvers<void>()
  await page.route(isAsked, async (route) => {
    await held.promise
    await route.continue()
  })
  await verify(page)
  await page.goto(`/service-content#${new URLSearchParams({ proofid: proofId, username: 'bob' })}`)
  await expect(page.getByLabel('Username')).toHaveValue('bob')
  held.resolve()
  await expect(page.getByRole('button', { name: 'Verify Document' })).toBeVisible()
  await expect(page.getByText('Document Verified Successfully!')).toHaveCount(0)
  await page.context().close()
})

test('14.32 of a certified PDF alone its Proof ID is looked up without typing it', async ({ browser }) => {
  const page = await openPage(browser, '/service-content')
  await choose(page, 'content_ada.pdf', certified)
  await page.getByRole('link', { name: 'Look up this Proof ID' }).click()
  await expect(page.getByLabel('Proof ID')).toHaveValue(proofId)
  await expect(page.getByLabel('Username')).toHaveValue('ada')
  await expect(page.getByText('Document Verified Successfully!')).toBeVisible()
  await page.context().close()
})

test('14.33 an original is compared with the files of the proof that was verified', async ({ browser }) => {
  const page = await openPage(browser, '/service-content')
  await verify(page)
  await expect(page.getByText('Document Verified Successfully!')).toBeVisible()
  await choose(page, 'paper.pdf', ORIGINAL)
  await expect(page.getByRole('heading', { name: 'This is an original of this proof' })).toBeVisible()
  await expect(page.getByText('“paper.pdf” is, byte for byte, file 1 of the verified document.').last()).toBeVisible()
  await choose(page, 'other.pdf', makePdf({ pages: 2 }))
  await expect(page.getByRole('heading', { name: 'This file is not part of this proof' })).toBeVisible()
})

test('14.34 everybody reads the log, and their browser checks and remembers it', async ({ browser }) => {
  const page = await openPage(browser, '/transparency')
  await expect(page.getByText('Checked in this browser')).toBeVisible()
  await expect(page.getByText(/sees this log for the first time/)).toBeVisible()
  await expect(page.getByText('A collection was approved')).toBeVisible()
  await expect(page.getByText(/^No independent witness/)).toBeVisible()
  await lookAround(page)
  await page.reload()
  await expect(page.getByText(/^.*It continues what this browser saw on/)).toBeVisible()
})

test('14.36 a certified PDF is judged beside the log that it stands in', async ({ browser }) => {
  const page = await openPage(browser, '/transparency')
  await choose(page, 'degree.pdf', certified)
  await expect(page.getByRole('heading', { name: 'This certified PDF is genuine' })).toBeVisible()
  await lookAround(page)
  await page.setViewportSize(DESKTOP)
  await choose(page, 'other.pdf', makePdf({ pages: 2 }))
  await expect(page.getByRole('heading', { name: 'No proof in this file' })).toBeVisible()
  await page.getByRole('link', { name: 'Look a document up by its Proof ID' }).click()
  await expect(page.getByLabel('Proof ID')).toBeVisible()
})

test('14.36 … also while the log has not come', async ({ browser }) => {
  const page = await (await browser.newContext({ baseURL: server.url, viewport: DESKTOP })).newPage()
  await page.route('**/log/checkpoint', () => {})
  await page.goto('/transparency')
  await choose(page, 'degree.pdf', certified)
  await expect(page.getByRole('heading', { name: 'This certified PDF is genuine' })).toBeVisible()
})

test('14.35 a log that contradicts what the browser saw, or does not add up, is told as such', async ({ browser }) => {
  const page = await openPage(browser, '/transparency')
  await expect(page.getByText('Checked in this browser')).toBeVisible()
  await page.route('**/log/tile/0/**', async (route) => {
    const answer = await route.fetch()
    const tile = await answer.body()
    tile[40]! ^= 1
    await route.fulfill({ response: answer, body: tile })
  })
  await page.reload()
  await expect(page.getByRole('alert')).toContainText('This log does not add up')
  await lookAround(page)
  await page.unroute('**/log/tile/0/**')
  // Older than what the browser has checked: that may be a cache's doing, and is not put as a contradiction.
  const older = await (await fetch(`${server.url}/log/checkpoint`)).text()
  await approveOne('Lease')
  await page.reload()
  await expect(page.getByText('Checked in this browser')).toBeVisible()
  await page.route('**/log/checkpoint', (route) => route.fulfill({ contentType: 'text/plain', body: older }))
  await page.reload()
  await expect(page.getByRole('alert')).toContainText('The server shows an older head than one it has signed')
  await lookAround(page)
  await page.unroute('**/log/checkpoint')
  await page.route('**/log/checkpoint', (route) => route.abort())
  await page.reload()
  const again = page.getByRole('button', { name: 'Try again' })
  await expect(again).toBeVisible()
  await page.unroute('**/log/checkpoint')
  await again.click()
  await expect(page.getByText('Checked in this browser')).toBeVisible()
})

test('14.35 … also where another tab has checked a larger head meanwhile', async ({ browser }) => {
  const slow = await (await browser.newContext({ baseURL: server.url, viewport: DESKTOP })).newPage()
  const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  // All that is left to do then is to remember the head.
  await slow.route('**/log/tile/entries/**', async (route) => {
    held.resolve()
    await released.promise
    await route.continue()
  })
  await slow.goto('/transparency')
  await held.promise
  const older = await (await fetch(`${server.url}/log/checkpoint`)).text()
  await approveOne('Will')
  const quick = await slow.context().newPage()
  await quick.goto('/transparency')
  await expect(quick.getByText('Checked in this browser')).toBeVisible()
  released.resolve()
  await expect(slow.getByText('Checked in this browser')).toBeVisible()
  await quick.route('**/log/checkpoint', (route) => route.fulfill({ contentType: 'text/plain', body: older }))
  await quick.reload()
  await expect(quick.getByRole('alert')).toContainText('The server shows an older head than one it has signed')
})
