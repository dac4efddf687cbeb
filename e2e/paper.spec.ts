import { expect, test, type Page } from '@playwright/test'
import { runJudge } from '@proofdesk/certify/testing'
import { DECODERS } from '@proofdesk/certify/testing/code-decoders'
import { degradePrint, drawWear, startNumbers } from '@proofdesk/certify/testing/degrade-print'
import { parseInstancePolicy } from '@proofdesk/proof/instance-policy'
import { computeFilesRoot } from '@proofdesk/proof/paper/files-root'
import type { PaperFacts } from '@proofdesk/proof/paper/paper-claims'
import { findPaperCode } from '@proofdesk/proof/paper/find-paper-code'
import { readPaperCode, signPaperCode, type PaperSigner } from '@proofdesk/proof/paper/paper-code'
import { computePaperKeyId } from '@proofdesk/proof/paper/paper-key-id'
import { parsePaperKey } from '@proofdesk/proof/paper/paper-key'
import { createPrivateKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findAccessibilityFaults, scrollsSideways, watchComplaints } from './support/accessibility.ts'
import { startWithApproved, type ApprovedPdf } from './support/approved-pdf.ts'
import type { RunningServer } from './support/running-server.ts'
import { givePolicy, openSaved, takePicture, TWO_LOOKS, verdictOf } from './support/saved-page.ts'

// What a printed certificate says by its code: on the verification page, and on the offline page without a network.

const PICTURE = 'Picture of the printed page'
const TEXT = 'Text of the code'

let server: RunningServer
let approved: ApprovedPdf
let policy: Buffer
/** The first page at 150 dpi, and what its code says. */
let print: Buffer
let printed: string

test.beforeAll(async () => {
  ;({ server, approved, policy } = await startWithApproved())
  const path = join(server.dataDir, 'certified.pdf')
  await writeFile(path, approved.bytes)
  print = (await runJudge('pdftoppm', '-r', '150', '-png', '-f', '1', '-l', '1', path)).output
  printed = (await DECODERS[0]!.read(print)) ?? ''
})
test.afterAll(() => server.stop())

const codeOf = (text: string): string => findPaperCode(text) ?? ''

/** The signer of the instance, as only who has its key can be. */
async function openSigner(): Promise<PaperSigner> {
  const key = createPrivateKey(await readFile(join(server.dataDir, 'keys/paper.key.pem'), 'utf8'))
  const [publicKey = ''] = parseInstancePolicy(new Uint8Array(policy)).paperKeys
  return makeSigner(key, computePaperKeyId(parsePaperKey(publicKey)!))
}
const makeSigner = (key: KeyObject, keyId: PaperSigner['keyId']): PaperSigner => ({
  keyId,
  sign: async (message) => new Uint8Array(sign(null, message, key)),
})

/** The genuine claims with changes, signed by whom one likes. */
async function signChanged(changes: Partial<PaperFacts>, signer?: PaperSigner): Promise<string> {
  const { claims } = readPaperCode(codeOf(printed))
  return signPaperCode({ ...claims, ...changes }, signer ?? (await openSigner()))
}

const givePicture = (page: Page, buffer: Buffer, mimeType = 'image/png') =>
  page.getByLabel(PICTURE).setInputFiles({ name: 'page', mimeType, buffer })
async function giveText(page: Page, text: string): Promise<void> {
  await page.getByLabel(TEXT).fill(text)
  await page.getByLabel(TEXT).blur()
}

test('16.15 16.18 from a picture of the page the saved page gives the verdict, without a network', async ({
  browser,
}) => {
  for (const look of TWO_LOOKS) {
    const page = await openSaved(browser, look)
    const complaints = watchComplaints(page)
    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    await givePicture(page, print)
    await expect(page.getByText(/^The code was read\. Now choose the policy file/)).toBeVisible()
    await givePolicy(page, policy)
    await expect(verdictOf(page)).toHaveText('Signed, revocation unknown')
    await expect(page.getByText(/^City Registry signed what stands below/)).toBeVisible()
    for (const [field, words] of [
      ['Proof ID', approved.proofid],
      ['Title', 'Lease agreement'],
      ['Owner', 'ada.lovelace'],
      ['Issued by', 'City Registry'],
      ['Valid until', 'No expiry'],
      ['Pages of the files', '2'],
    ] as const)
      await expect(page.getByLabel(field, { exact: true })).toHaveAccessibleDescription(words)
    await expect(page.getByText('Whether it was revoked or its expiry changed')).toBeVisible()
    expect(await findAccessibilityFaults(page)).toEqual([])
    expect(await scrollsSideways(page)).toBe(false)
    await takePicture(page, 'paper')
    expect(requests.filter((url) => !/^(blob|data):/.test(url))).toEqual([])
    expect(complaints).toEqual([])
    await page.context().close()
  }
})

test('16.15 a worn print is read, too, and a picture without a code is told', async ({ browser }) => {
  const page = await openSaved(browser)
  await givePolicy(page, policy)
  const next = startNumbers(3)
  for (let i = 0; i < 4; i++) {
    const worn = await degradePrint(print, drawWear(next, 150, { x: 0.588, y: 0.19, size: 0.32 }))
    await giveText(page, 'nothing')
    await givePicture(page, worn, 'image/jpeg')
    await expect(verdictOf(page)).toHaveText('Signed, revocation unknown')
  }
  const blank = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  await givePicture(page, blank)
  await expect(page.getByText(/^No code was found in this picture/)).toBeVisible()
  await givePicture(page, Buffer.from('no picture'))
  await expect(page.getByText(/^This is no picture that is read here/)).toBeVisible()
  await givePicture(page, approved.bytes, 'application/pdf')
  await expect(page.getByText(/^This is a PDF, not a picture/)).toBeVisible()
  await expect(page.getByText(/^No code was found in this picture/)).toHaveCount(0)
  await page.context().close()
})

test('on paper the verdict comes first, and nothing that is there to be handed in', async ({ browser }) => {
  const page = await openSaved(browser)
  await givePolicy(page, policy)
  await page.emulateMedia({ media: 'print' })
  const choosers = page.locator('input[type=file]')
  await expect(choosers.first()).toBeVisible()
  await page.emulateMedia({ media: 'screen' })
  await giveText(page, printed)
  await expect(verdictOf(page)).toBeVisible()
  await page.emulateMedia({ media: 'print' })
  for (const chooser of await choosers.all()) await expect(chooser).toBeHidden()
  await expect(page.getByRole('button')).toHaveCount(0)
  await expect(page.getByLabel(TEXT)).toBeHidden()
  const topOf = async (name: string) => (await page.getByRole('heading', { name }).boundingBox())?.y ?? Number.NaN
  expect(await topOf('Signed, revocation unknown')).toBeLessThan(await topOf('Whom you trust'))
  await takePicture(page, 'paper-printed')
  await page.context().close()
})

test('16.5 16.16 a printed field that says something else than the code is a mismatch, and the receipt keeps it', async ({
  browser,
}) => {
  const page = await openSaved(browser)
  await givePolicy(page, policy)
  await giveText(page, printed)
  const type = async (field: string, words: string) => {
    await page.getByLabel(field, { exact: true }).fill(words)
    await page.getByLabel(field, { exact: true }).blur()
  }
  await type('Title', 'Lease  agreement')
  await type('Proof ID', approved.proofid.toLowerCase())
  await expect(page.getByText('says the same')).toHaveCount(2)
  await expect(page.getByText(/^MISMATCH/)).toHaveCount(0)
  await type('Owner', 'eve.lovelace')
  await type('Valid until', '1 January 2040')
  await expect(page.getByText(/^MISMATCH/)).toHaveCount(2)
  await expect(page.getByRole('alert').filter({ hasText: '2 printed fields say something else' })).toBeVisible()
  expect(await findAccessibilityFaults(page)).toEqual([])
  await takePicture(page, 'paper-mismatch')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save receipt' }).click(),
  ])
  const receipt = JSON.parse(await readFile(await download.path(), 'utf8')) as { compared: { field: string }[] }
  expect(receipt).toMatchObject({ signed: false, paper: codeOf(printed), verdict: 'valid' })
  expect(receipt.compared.map((one) => JSON.stringify(one)).sort()).toEqual(
    [
      { field: 'expiresAt', printed: '1 January 2040', isSame: false },
      { field: 'proofId', printed: approved.proofid.toLowerCase(), isSame: true },
      { field: 'title', printed: 'Lease  agreement', isSame: true },
      { field: 'username', printed: 'eve.lovelace', isSame: false },
    ]
      .map((one) => JSON.stringify(one))
      .sort(),
  )
  await page.context().close()
})

test('16.2 16.3 16.17 each other verdict shows nothing of what the code claims', async ({ browser }) => {
  const page = await openSaved(browser)
  await givePolicy(page, policy)
  const stranger = generateKeyPairSync('ed25519').privateKey
  const { keyId } = await openSigner()
  for (const [text, verdict] of [
    [`${printed.slice(0, -8)}AAAAAAAA`, 'Altered'],
    [codeOf(printed).slice(0, 300), 'Altered'],
    [await signChanged({ username: 'eve' }, makeSigner(stranger, keyId)), 'Altered'],
    [
      await signChanged({ username: 'eve' }, makeSigner(stranger, new Uint8Array(8))),
      'Not signed by this organisation',
    ],
  ] as const) {
    await giveText(page, text)
    await expect(verdictOf(page)).toHaveText(verdict)
    await expect(page.getByText(/ada\.lovelace|^eve$/)).toHaveCount(0)
  }
  await giveText(page, await signChanged({ expiresAt: readPaperCode(codeOf(printed)).claims.approvedAt }))
  await expect(verdictOf(page)).toHaveText('Signed, but expired')
  await giveText(page, 'Lease agreement')
  await expect(page.getByText('This is no code of a certificate.')).toBeVisible()
  expect(await findAccessibilityFaults(page)).toEqual([])
  await page.context().close()
})

test('a field names its file as long as that one is judged, and takes the same file a second time', async ({
  browser,
}) => {
  const page = await openSaved(browser)
  await givePolicy(page, policy)
  const field = page.getByLabel('Certified PDF', { exact: true })
  const file = { name: 'lease.pdf', mimeType: 'application/pdf', buffer: approved.bytes }
  await field.setInputFiles(file)
  await expect(verdictOf(page)).toHaveText('Valid, not witnessed')
  await expect(field).toHaveValue(/lease\.pdf$/)
  await givePicture(page, print)
  await expect(field).toHaveValue('')

  // A browser tells of a file only where another one was chosen before.
  await field.setInputFiles(file)
  await expect(page.getByLabel(PICTURE)).toHaveValue('')
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), field.click()])
  await expect(field).toHaveValue('')
  await chooser.setFiles(file)
  await expect(verdictOf(page)).toHaveText('Valid, not witnessed')

  await page.evaluate(() => {
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(new File(['%PDF-1.7'], 'other.pdf', { type: 'application/pdf' }))
    document.body.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer }))
  })
  await expect(verdictOf(page)).not.toHaveText('Valid, not witnessed')
  await expect(field).toHaveValue('')
  await expect(page.getByLabel('Policy file of the organisation')).toHaveValue(/proofdesk-policy\.json$/)
  await page.context().close()
})

test('16.15 where no camera may be used the page says so', async ({ browser }) => {
  const page = await openSaved(browser)
  await page.getByRole('button', { name: 'Read the code with the camera' }).click()
  await expect(page.getByText(/^No camera can be used here/)).toBeVisible()
  await page.context().close()
})

test('16.10 16.11 16.18 the address in the code opens the verification page, whose server sees nothing of the data', async ({
  browser,
}) => {
  expect(printed.startsWith(`${server.url}/service-content#2KC`)).toBe(true)
  const context = await browser.newContext({ baseURL: server.url })
  const page = await context.newPage()
  const complaints = watchComplaints(page)
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url() + (request.postData() ?? '')))
  await page.goto(printed)
  await expect(page.getByLabel('Proof ID')).toHaveValue(approved.proofid)
  await expect(page.getByLabel('Username')).toHaveValue('ada.lovelace')
  const said = page.getByRole('region', { name: 'The printed code is signed by City Registry' })
  for (const words of [approved.proofid, 'ada.lovelace', 'Lease agreement', 'No expiry'])
    await expect(said.getByText(words, { exact: true })).toBeVisible()
  await expect(said.getByText(/^Whether it was revoked since, no paper can say/)).toBeVisible()
  // Its first three letters alone may stand in the name of a script.
  const secrets = [printed.split('#')[1]!.slice(0, 12), 'ada.lovelace']
  const addresses = asked.map((url) => url.replace(/#.*/, ''))
  expect(addresses.filter((url) => secrets.some((secret) => url.includes(secret)))).toEqual([])
  expect(await findAccessibilityFaults(page)).toEqual([])
  await takePicture(page, 'public')
  await page.getByRole('button', { name: 'Verify Document' }).click()
  await expect(page.getByText('Document Verified Successfully!')).toBeVisible()
  await expect(said.getByText('The record says the same as the code.')).toBeVisible()
  await expect(said.getByText('On record:')).toHaveCount(0)
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await scrollsSideways(page)).toBe(false)
  expect(await findAccessibilityFaults(page)).toEqual([])
  await takePicture(page, 'public-same')
  expect(complaints).toEqual([])
  await context.close()
})

test('16.24 who gives a picture of the printed page to “Check a file” is led to where its code is read', async ({
  browser,
}) => {
  const context = await browser.newContext({ baseURL: server.url, viewport: { width: 390, height: 844 } })
  const page = await context.newPage()
  await page.goto('/service-content')
  await page
    .getByLabel('Certified PDF, or one of the original files', { exact: true })
    .setInputFiles({ name: 'page.png', mimeType: 'image/png', buffer: print })
  await expect(page.getByRole('heading', { name: 'No proof in this file' })).toBeVisible()
  expect(await findAccessibilityFaults(page)).toEqual([])
  expect(await scrollsSideways(page)).toBe(false)
  await takePicture(page, 'paper-on-the-site')
  await page.getByRole('link', { name: 'Read a printed page' }).click()
  await givePicture(page, print)
  await expect(verdictOf(page)).toHaveText('Signed, revocation unknown')
  await context.close()
})

test('16.11 16.12 what the record has otherwise is told field by field, and a forged code shows nothing', async ({
  browser,
}) => {
  const context = await browser.newContext({ baseURL: server.url })
  const page = await context.newPage()
  const changed = { title: 'Deed of gift', expiresAt: 2_500_000_000, filesRoot: computeFilesRoot([]) }
  await page.goto(`/service-content#${await signChanged(changed)}`)
  const said = page.getByRole('region', { name: /^The printed code is signed/ })
  // The form is empty until the signature has been checked.
  await expect(said.getByText('Deed of gift')).toBeVisible()
  await page.getByRole('button', { name: 'Verify Document' }).click()
  await expect(said.getByRole('alert')).toHaveText('The record says something else than the code.')
  await expect(said.getByText(/^On record:/)).toHaveText([
    'On record: Lease agreement',
    'On record: No expiry',
    'On record: other files',
  ])
  expect(await findAccessibilityFaults(page)).toEqual([])
  await takePicture(page, 'public-differs')

  // As after an extension: nobody is accused.
  await page.goto(`/service-content#${await signChanged({ expiresAt: 2_500_000_000 })}`)
  await expect(said.getByText('March 2049')).toBeVisible()
  await page.getByRole('button', { name: 'Verify Document' }).click()
  await expect(said.getByText(/^The expiry was changed since this was printed/)).toBeVisible()
  await expect(said.getByText(/^On record:/)).toHaveText(['On record: No expiry'])
  await expect(said.getByRole('alert')).toHaveCount(0)

  const stranger = makeSigner(generateKeyPairSync('ed25519').privateKey, new Uint8Array(8))
  for (const [text, title] of [
    [`${codeOf(printed).slice(0, -8)}AAAAAAAA`, 'The printed code was altered'],
    [await signChanged({ title: 'Deed of gift' }, stranger), 'The printed code is not signed by City Registry'],
  ] as const) {
    await page.goto(`/service-content#${text}`)
    const told = page.getByRole('region', { name: title })
    await expect(told).toBeVisible()
    await expect(told.getByText(/Lease|Deed/)).toHaveCount(0)
    expect(await findAccessibilityFaults(page)).toEqual([])
  }
  await context.close()
})

test('16.15 served by an instance the page takes the code from its address and the policy from the instance', async ({
  browser,
}) => {
  const context = await browser.newContext({ baseURL: server.url })
  const page = await context.newPage()
  await page.goto(`/verify#${codeOf(printed)}`)
  await expect(verdictOf(page)).toHaveText('Signed, revocation unknown')
  const link = page.getByRole('link', { name: 'Look it up on this instance' })
  await expect(link).toHaveAttribute('href', `/service-content#${codeOf(printed)}`)
  await context.close()
})
