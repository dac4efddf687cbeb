import { expect, test, type Page } from '@playwright/test'
import { formatInstancePolicy, parseInstancePolicy } from '@proofdesk/proof/instance-policy'
import { formatCheckpoint, parseCheckpoint } from '@proofdesk/proof/log/checkpoint'
import { formatVerifierKey, parseNote, parseVerifierKey, signNote } from '@proofdesk/proof/log/note'
import { createHash, createPrivateKey, sign } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findAccessibilityFaults, scrollsSideways, watchComplaints } from './support/accessibility.ts'
import { approvePdf, startWithApproved, type ApprovedPdf } from './support/approved-pdf.ts'
import type { RunningServer } from './support/running-server.ts'
import { givePolicy, LOOKS, openSaved, openSavedIn, PAGE_FILE, takePicture, verdictOf } from './support/saved-page.ts'

const PDF = 'Certified PDF'

let server: RunningServer
let approved: ApprovedPdf
let policy: Buffer

test.beforeAll(async () => {
  ;({ server, approved, policy } = await startWithApproved())
})
test.afterAll(() => server.stop())

const givePdf = (page: Page, buffer: Buffer) =>
  page.getByLabel(PDF, { exact: true }).setInputFiles({ name: 'lease.pdf', mimeType: 'application/pdf', buffer })

test('15.25 the saved page judges a receipt that the instance signed, and refuses one that was changed', async ({
  browser,
}) => {
  const answer = await fetch(`${server.url}/backend/api/v1/service-content-servers/receipt/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ proofid: approved.proofid, username: 'ada.lovelace' }),
  })
  const { receipt } = (await answer.json()) as { receipt: string }
  const page = await openSaved(browser, { viewport: { width: 390, height: 900 } })
  const complaints = watchComplaints(page)
  const giveReceipt = (text: string) =>
    page
      .getByLabel(PDF, { exact: true })
      .setInputFiles({ name: 'receipt.txt', mimeType: 'text/plain', buffer: Buffer.from(text) })
  await givePolicy(page, policy)
  await giveReceipt(receipt)
  await expect(verdictOf(page)).toHaveText('Signed receipt: valid then')
  await expect(page.getByText(approved.proofid)).toBeVisible()
  await takePicture(page, 'receipt')
  expect(await findAccessibilityFaults(page)).toEqual([])
  expect(await scrollsSideways(page)).toBe(false)
  await giveReceipt(receipt.replace('"verdict":"valid"', '"verdict":"expired"'))
  await expect(verdictOf(page)).toHaveText('This receipt does not hold')
  await givePolicy(page, makeOtherPolicy())
  await expect(verdictOf(page)).toHaveText('This receipt does not hold')
  expect(complaints).toEqual([])
  await page.context().close()
})

/** The policy of somebody else, by default one who calls themselves the same. */
function makeOtherPolicy(organisation = 'City Registry'): Buffer {
  const verifierKey = formatVerifierKey('other.example/log', new Uint8Array(32).fill(7))
  return Buffer.from(
    formatInstancePolicy({
      organisation,
      logPolicy: `log ${verifierKey}\nquorum none\n`,
      independentWitnesses: [],
      pins: ['0'.repeat(64)],
      statusUrl: null,
    }),
  )
}

test('15.1 15.7 15.8 the saved page judges a certified PDF without a network', async ({ browser }) => {
  for (const look of LOOKS) {
    const page = await openSaved(browser, look)
    const complaints = watchComplaints(page)
    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    expect(await findAccessibilityFaults(page)).toEqual([])
    await takePicture(page, 'empty')

    await givePdf(page, approved.bytes)
    await expect(page.getByText(/Now choose the policy file/)).toBeVisible()
    await givePolicy(page, policy)
    await expect(verdictOf(page)).toHaveText('Valid, not witnessed')
    await expect(page.getByRole('status').first()).toHaveText('Valid, not witnessed')
    await expect(page.getByText('certified by City Registry')).toBeVisible()
    for (const said of [/^Not witnessed:/, /is stated by the issuer/, /Whether it was revoked is unknown as of/])
      await expect(page.locator('.remarks > li').filter({ hasText: said })).toBeVisible()
    for (const field of [approved.proofid, 'Lease agreement', 'ada.lovelace', 'sam', 'All seen'])
      await expect(page.getByText(field, { exact: true }).first()).toBeVisible()
    await expect(page.locator('.steps > li')).toHaveCount(10)

    const step = page.locator('.steps summary').filter({ hasText: 'It is entry 2 of a log of 3' })
    await step.focus()
    await page.keyboard.press('Enter')
    await expect(page.getByText('Root of the tree').first()).toBeVisible()
    expect(await findAccessibilityFaults(page)).toEqual([])
    expect(await scrollsSideways(page)).toBe(false)
    await takePicture(page, 'valid')

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save receipt' }).click(),
    ])
    const receipt = JSON.parse(await readFile(await download.path(), 'utf8')) as Record<string, unknown>
    expect(receipt).toMatchObject({
      signed: false,
      note: expect.stringContaining('signed by nobody'),
      file: { sha256: createHash('sha256').update(approved.bytes).digest('hex'), size: approved.bytes.length },
      proofId: approved.proofid,
      verdict: 'valid',
      remarks: ['not_witnessed', 'time_stated', 'revocation_unknown'],
      policy: { fingerprint: createHash('sha256').update(policy).digest('hex') },
      head: { size: 3 },
    })
    expect(Math.abs(Date.parse(String(receipt['checkedAt'])) - Date.now())).toBeLessThan(600_000)
    expect((receipt['steps'] as object[])[6]).toEqual({ name: 'time', state: 'unknown', code: 'time_stated' })

    expect(requests.filter((url) => !/^(blob|data):/.test(url))).toEqual([])
    expect(complaints).toEqual([])
    await page.context().close()
  }
})

test('15.2 one changed byte is altered, and another organisation’s policy gives not found', async ({ browser }) => {
  const page = await openSaved(browser)
  await givePolicy(page, approved.bytes)
  await expect(page.getByText('This is no policy file that this page can read.')).toBeVisible()
  await expect(page.getByText('The one before stays.')).toHaveCount(0)
  await givePolicy(page, policy)
  for (const at of [40, Math.floor(approved.bytes.length / 2), approved.bytes.length - 2]) {
    const changed = Buffer.from(approved.bytes)
    changed[at]! ^= 1
    await givePdf(page, changed)
    await expect(verdictOf(page)).toHaveText('Altered')
    await expect(page.getByText('ada.lovelace')).toHaveCount(0)
    await givePdf(page, approved.bytes)
    await expect(verdictOf(page)).toHaveText('Valid, not witnessed')
  }
  await givePolicy(page, makeOtherPolicy('Some Other Office'))
  await expect(verdictOf(page)).toHaveText('Not found')
  await givePolicy(page, Buffer.from('{"v":1}'))
  await expect(page.getByText('This is no policy file that this page can read. The one before stays.')).toBeVisible()
  await page.context().close()
})

test('15.3 the policy is remembered, and another one of the same organisation is told loudly until it is accepted', async ({
  browser,
}) => {
  const page = await openSaved(browser)
  const grouped = (bytes: Buffer) => parseInstancePolicy(new Uint8Array(bytes)).fingerprint.replace(/.{8}(?=.)/g, '$& ')
  await givePolicy(page, policy)
  await expect(page.getByText(grouped(policy))).toBeVisible()
  await expect(page.getByText(/Met for the first time/)).toBeVisible()

  const later = await openSavedIn(page.context())
  await givePolicy(later, policy)
  await expect(later.getByText(/The same as since/)).toBeVisible()
  const rival = makeOtherPolicy()
  for (const time of ['first', 'again']) {
    await givePdf(later, approved.bytes)
    await givePolicy(later, rival)
    const alarm = later.getByRole('alert').filter({ hasText: 'This is another policy than before' })
    await expect(alarm, time).toContainText(grouped(policy))
    await expect(later.getByText(/This answer relies on a policy that changed/)).toBeVisible()
    expect(await findAccessibilityFaults(later)).toEqual([])
    await takePicture(later, 'rival')
    await later.reload()
  }
  await givePolicy(later, rival)
  await later.getByRole('button', { name: /I have compared it/ }).click()
  await expect(later.getByText(/This is another policy than before/)).toHaveCount(0)
  await givePolicy(later, policy)
  await expect(later.getByText(/This is another policy than before/)).toBeVisible()
  await page.context().close()
})

test('15.4 without Ed25519 the page says unavailable, never altered', async ({ browser }) => {
  const lacks = [
    () => {
      const { importKey } = SubtleCrypto.prototype
      SubtleCrypto.prototype.importKey = function lacking(this: SubtleCrypto, ...args: unknown[]) {
        if (args[2] === 'Ed25519') return Promise.reject(new DOMException('no', 'NotSupportedError'))
        return Reflect.apply(importKey, this, args) as Promise<CryptoKey>
      }
    },
    () => {
      Object.defineProperty(Crypto.prototype, 'subtle', { get: () => undefined })
    },
  ]
  for (const lack of lacks) {
    const context = await browser.newContext()
    await context.setOffline(true)
    await context.addInitScript(lack)
    const page = await openSavedIn(context)
    await givePolicy(page, policy)
    await givePdf(page, approved.bytes)
    await expect(verdictOf(page)).toHaveText('Unavailable: not checked')
    await expect(page.getByText(/That says nothing about the file/)).toBeVisible()
    await context.close()
  }
})

test('15.5 15.6 15.9 served by an instance the page takes its policy, and looks whether its log goes on', async ({
  browser,
}) => {
  const served = await fetch(`${server.url}/verify`)
  expect(Buffer.from(await served.arrayBuffer()).equals(await readFile(PAGE_FILE))).toBe(true)
  const context = await browser.newContext({ baseURL: server.url, permissions: ['clipboard-read', 'clipboard-write'] })
  const page = await context.newPage()
  const complaints = watchComplaints(page)
  await page.goto('/verify')
  await expect(page.getByText('Taken from this instance just now.')).toBeVisible()
  await givePdf(page, approved.bytes)
  await expect(verdictOf(page)).toHaveText('Valid, not witnessed')
  await expect(page.getByText(/Asked just now, the log is the one in this document: 3 entries/)).toBeVisible()
  await approvePdf(server, 'ada.lovelace', 'sam')
  await givePdf(page, approved.bytes)
  await expect(page.getByText(/the log has grown from 3 to 4 entries, and nothing/)).toBeVisible()
  expect(await findAccessibilityFaults(page)).toEqual([])

  for (const [size, words] of [
    [2, 'This instance shows an older log'],
    [4, 'This instance could not show that its log of today continues'],
    // of which it does not know how it grew
    [40, 'This instance could not show that its log of today continues'],
    [3, 'The log contradicts what it signed'],
  ] as const) {
    const forged = await forgeHead(size)
    await page.unroute('**/log/checkpoint')
    await page.route('**/log/checkpoint', (route) => route.fulfill({ contentType: 'text/plain', body: forged }))
    await givePdf(page, approved.bytes)
    const alarm = page.getByRole('alert').filter({ hasText: words })
    await expect(alarm).toContainText(forged.split('\n')[2]!)
    await alarm.getByRole('button', { name: 'Copy both signed heads' }).click()
    await expect(alarm.getByText('Copied')).toBeVisible()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(copied.split('\u2014 ')).toHaveLength(3)
    expect(copied.endsWith(forged)).toBe(true)
  }
  expect(await findAccessibilityFaults(page)).toEqual([])
  await takePicture(page, 'fork')

  // An outage is nothing against the document.
  await page.unroute('**/log/checkpoint')
  await page.route('**/log/checkpoint', (route) => route.abort())
  await givePdf(page, approved.bytes)
  await expect(page.getByText(/This instance did not say how its log goes on/)).toBeVisible()
  await expect(verdictOf(page)).toHaveText('Valid, not witnessed')
  expect(complaints).toEqual([])
  await context.close()
})

/** A head of another past, as only the log's own key can sign it. */
async function forgeHead(size: number): Promise<string> {
  const note = await (await fetch(`${server.url}/log/checkpoint`)).text()
  const head = parseCheckpoint(parseNote(note).text)
  const key = createPrivateKey(await readFile(join(server.dataDir, 'keys/log.key.pem'), 'utf8'))
  const { logPolicy } = parseInstancePolicy(new Uint8Array(policy))
  const { name, keyId } = parseVerifierKey(/^log (\S+)$/m.exec(logPolicy)?.[1] ?? '')
  const text = formatCheckpoint({ ...head, size, root: new Uint8Array(32).fill(9) })
  return signNote(text, [{ name, keyId, sign: async (message) => new Uint8Array(sign(null, message, key)) }])
}

test('15.12 the page to verify and the page of the log offer the offline page and the policy', async ({ browser }) => {
  const context = await browser.newContext({ baseURL: server.url, acceptDownloads: true })
  const page = await context.newPage()
  for (const address of ['/service-content', '/transparency']) {
    await page.goto(address)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download the offline page' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('verify.html')
    expect((await readFile(await download.path())).equals(await readFile(PAGE_FILE))).toBe(true)
    expect(await findAccessibilityFaults(page)).toEqual([])
    await takePicture(page, address.slice(1))
  }
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download the policy file' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('proofdesk-policy.json')
  expect((await readFile(await download.path())).equals(policy)).toBe(true)
  await context.close()
})
