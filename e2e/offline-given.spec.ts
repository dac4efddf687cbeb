import { expect, test, type Page } from '@playwright/test'
import { formatInstancePolicy, parseInstancePolicy } from '@proofdesk/proof/instance-policy'
import { formatVerifierKey } from '@proofdesk/proof/log/note'
import { computePaperKeyId } from '@proofdesk/proof/paper/paper-key-id'
import { signPaperCode } from '@proofdesk/proof/paper/paper-code'
import { formatPaperKey } from '@proofdesk/proof/paper/paper-key'
import { signReceipt } from '@proofdesk/proof/receipt'
import { generateKeyPairSync, sign } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'
import { findAccessibilityFaults, scrollsSideways, watchComplaints } from './support/accessibility.ts'
import { givePolicy, LOOKS, openSaved, openSavedIn, takePicture, TWO_LOOKS, verdictOf } from './support/saved-page.ts'

// What strangers are given together with a document, and what the saved page makes of it. No instance takes part.

const LOG = 'proofs.example.org/log'
const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const paperKey = Uint8Array.from(publicKey.export({ type: 'spki', format: 'der' }).subarray(-32))
const signer = {
  publicKey: formatPaperKey(paperKey),
  keyId: computePaperKeyId(paperKey),
  sign: async (message: Uint8Array) => new Uint8Array(sign(null, message, privateKey)),
}

function makePolicy(organisation: string, log = LOG, key = 7): Buffer {
  const verifierKey = formatVerifierKey(log, new Uint8Array(32).fill(key))
  const [logPolicy, pins] = [`log ${verifierKey}\nquorum none\n`, ['0'.repeat(64)]]
  const paperKeys = [signer.publicKey]
  return Buffer.from(
    formatInstancePolicy({ organisation, logPolicy, independentWitnesses: [], pins, statusUrl: null, paperKeys }),
  )
}
const policy = makePolicy('Example University')
/** Of a forger, whose name a reader takes for the other. */
const forged = makePolicy('Ехаmple Univеrsity', 'proofs.example.com/log', 8)
const DOCUMENT = Buffer.from('%PDF-1.7\n% of nobody\n')

interface GivenFile {
  name: string
  mimeType: string
  buffer: Buffer
}
const fileOf = (name: string, buffer: Buffer): GivenFile => ({
  name,
  mimeType: name.endsWith('.pdf') ? 'application/pdf' : 'application/json',
  buffer,
})
const fieldOf = (page: Page) => page.getByLabel('Certified PDF', { exact: true })
const give = (page: Page, name: string, buffer: Buffer) => fieldOf(page).setInputFiles(fileOf(name, buffer))

async function drop(page: Page, ...files: GivenFile[]): Promise<void> {
  const given = files.map(({ name, mimeType, buffer }) => ({ name, mimeType, text: buffer.toString('utf8') }))
  await page.evaluate((all) => {
    const dataTransfer = new DataTransfer()
    for (const { name, mimeType: type, text } of all) dataTransfer.items.add(new File([text], name, { type }))
    document.body.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer }))
  }, given)
}

const group = (bytes: Buffer) => parseInstancePolicy(new Uint8Array(bytes)).fingerprint.replace(/.{8}(?=.)/g, '$& ')
const saysNotFoundOf = (page: Page, organisation: string) =>
  expect(page.getByText(`There is no proof of ${organisation} in this file`)).toBeVisible()

test('15.28 what is handed in as a document never replaces the policy: it is told what it is, and that has to be pressed', async ({
  browser,
}) => {
  const page = await openSaved(browser)
  const complaints = watchComplaints(page)
  await givePolicy(page, policy)
  await give(page, 'diploma.pdf', DOCUMENT)
  await saysNotFoundOf(page, 'Example University')
  for (const way of ['chosen', 'dropped'] as const) {
    if (way === 'chosen') await give(page, 'annex.pdf', forged)
    else await drop(page, fileOf('proofdesk-policy.json', forged), fileOf('diploma.pdf', DOCUMENT))
    const offer = page.getByRole('alert').filter({ hasText: 'This file is a policy, no document' })
    await expect(offer).toContainText(group(forged))
    await expect(fieldOf(page)).toHaveValue('')
    await saysNotFoundOf(page, 'Example University')
    await expect(page.locator('#policy')).toContainText(group(policy))
    await expect(page.locator('#policy .alarm')).toHaveCount(0)
  }
  expect(await findAccessibilityFaults(page)).toEqual([])
  // The next document takes the offer away.
  await give(page, 'diploma.pdf', DOCUMENT)
  await expect(page.getByText('This file is a policy, no document')).toHaveCount(0)
  await give(page, 'annex.pdf', forged)
  await page.getByRole('button', { name: 'Replace the policy of Example University by it' }).click()
  const alarm = page.locator('#policy').getByRole('alert')
  await expect(alarm).toContainText('This is another policy than before')
  await expect(alarm).toContainText(group(policy))
  await expect(page.getByText(/This answer relies on a policy that changed/)).toBeVisible()
  await alarm.getByRole('button', { name: 'Go back to the one before' }).click()
  await saysNotFoundOf(page, 'Example University')
  await expect(page.locator('#policy .alarm')).toHaveCount(0)
  // Nobody has confirmed the other: it is met as a rival again.
  const later = await openSavedIn(page.context())
  await givePolicy(later, forged)
  await expect(later.locator('#policy').getByRole('alert')).toContainText('This is another policy than before')
  expect(complaints).toEqual([])
  await page.context().close()
})

test('15.27 a policy in the place of another is told loudly until that is confirmed, whatever it is called', async ({
  browser,
}) => {
  for (const look of LOOKS) {
    const page = await openSaved(browser, look)
    const other = makePolicy('City Registry', 'registry.example/log', 9)
    await givePolicy(page, policy)
    await expect(page.getByText(/Met for the first time/)).toBeVisible()
    await give(page, 'diploma.pdf', DOCUMENT)
    await givePolicy(page, other)
    const alarm = page.locator('#policy').getByRole('alert')
    await expect(alarm).toContainText('The policy was replaced by another')
    await expect(alarm).toContainText(group(policy))
    await expect(page.getByText('Not met on this device before.')).toBeVisible()
    await saysNotFoundOf(page, 'City Registry')
    await expect(page.getByText(/This answer relies on a policy that changed/)).toBeVisible()
    await give(page, 'annex.pdf', forged)
    await expect(page.getByText('This file is a policy, no document')).toBeVisible()
    expect(await findAccessibilityFaults(page)).toEqual([])
    expect(await scrollsSideways(page)).toBe(false)
    await takePicture(page, 'replaced')
    await alarm.getByRole('button', { name: 'I have compared it: remember this one' }).click()
    await expect(page.locator('#policy .alarm')).toHaveCount(0)
    await expect(page.getByText(/This answer relies on a policy that changed/)).toHaveCount(0)
    await expect(page.getByText(/The same as since/)).toBeVisible()
    // Back to one that is known: told, too, and the same file again is none.
    await givePolicy(page, policy)
    await expect(alarm).toContainText('The policy was replaced by another')
    await givePolicy(page, other)
    await expect(page.locator('#policy .alarm')).toHaveCount(0)
    await page.context().close()
  }
})

test('15.28 where no policy is in use one that is dropped by its name is taken, and another is asked about', async ({
  browser,
}) => {
  const page = await openSaved(browser)
  await drop(page, fileOf('diploma.pdf', DOCUMENT), fileOf('proofdesk-policy.json', policy))
  await saysNotFoundOf(page, 'Example University')
  await expect(page.locator('#policy')).toContainText(group(policy))
  // Both once more, as for the next document: nothing has changed.
  await drop(page, fileOf('other.pdf', DOCUMENT), fileOf('proofdesk-policy.json', policy))
  await expect(page.getByText('other.pdf')).toBeVisible()
  await expect(page.locator('.alarm, .offer')).toHaveCount(0)
  await page.reload()

  await drop(page, fileOf('diploma.pdf', DOCUMENT), fileOf('annex.pdf', forged))
  await expect(page.getByText('This file is a policy, no document')).toBeVisible()
  await expect(page.locator('#policy')).toBeEmpty()
  await expect(verdictOf(page)).toHaveCount(0)
  await page.reload()
  await give(page, 'proofdesk-policy.json', policy)
  await page.getByRole('button', { name: 'Use it as the policy' }).click()
  await expect(page.getByText(/The same as since/)).toBeVisible()
  await expect(page.locator('.alarm, .offer')).toHaveCount(0)
  await page.context().close()
})

test('15.25 a signed receipt is judged also as the answer of the API was saved, chosen or dropped; other JSON is told', async ({
  browser,
}) => {
  const receipt = await signReceipt(
    {
      proofId: '7Q3K-9ZB4-M0XT-C8VN-K',
      verdict: 'valid',
      at: 1_790_000_000,
      sha256: 'ab'.repeat(32),
      size: 1000,
      expiresAt: null,
      revokedAt: null,
      head: { origin: LOG, size: 3, root: 'cd'.repeat(32) },
    },
    signer,
  )
  const page = await openSaved(browser)
  await givePolicy(page, policy)
  for (const text of [JSON.stringify({ receipt }), JSON.stringify({ receipt }, null, 2)]) {
    await give(page, 'receipt.json', Buffer.from(text))
    await expect(verdictOf(page)).toHaveText('Signed receipt: valid then')
    await give(page, 'diploma.pdf', DOCUMENT)
    await expect(verdictOf(page)).toHaveText('Not found')
    await drop(page, fileOf('receipt.json', Buffer.from(text)))
    await expect(verdictOf(page)).toHaveText('Signed receipt: valid then')
  }
  await give(page, 'receipt.json', Buffer.from(JSON.stringify({ receipt: receipt.replace('valid', 'expired') })))
  await expect(verdictOf(page)).toHaveText('This receipt does not hold')
  for (const text of ['{}', `${policy.toString()}\n`, '{"receipt":1}']) {
    await give(page, 'some.json', Buffer.from(text))
    await expect(
      page.getByText('This is neither a policy file that this page can read nor a signed receipt.'),
    ).toBeVisible()
    await expect(fieldOf(page)).toHaveValue('')
  }
  await page.context().close()
})

test('15.30 of two documents chosen one after the other the later is judged, however long the first takes to be read', async ({
  browser,
}) => {
  const page = await openSaved(browser)
  await page.evaluate(() => {
    const { arrayBuffer } = Blob.prototype
    Blob.prototype.arrayBuffer = async function slow(this: Blob) {
      if (this instanceof File && this.name === 'first.pdf') await new Promise((resolve) => setTimeout(resolve, 3000))
      return arrayBuffer.call(this)
    }
  })
  await givePolicy(page, policy)
  await give(page, 'first.pdf', DOCUMENT)
  await give(page, 'second.pdf', Buffer.concat([DOCUMENT, Buffer.from('2')]))
  await expect(page.locator('#answer')).toContainText('second.pdf')
  await page.waitForTimeout(4000)
  await expect(page.locator('#answer')).toContainText('second.pdf')
  await expect(fieldOf(page)).toHaveValue(/second\.pdf$/)
  await page.context().close()
})

test('15.31 what cannot be judged leaves nothing of a verdict before it on the page', async ({ browser }) => {
  const page = await openSaved(browser)
  await givePolicy(page, policy)
  const picture = page.getByLabel('Picture of the printed page')
  const pictureOf = (buffer: Buffer) => ({ name: 'page.png', mimeType: 'image/png', buffer })
  const ways: [string, () => Promise<unknown>][] = [
    ['No code was found in this picture', () => picture.setInputFiles(pictureOf(makePng(40)))],
    ['This is no picture that is read here', () => picture.setInputFiles(pictureOf(Buffer.from('no picture')))],
    ['This is no code of a certificate', () => writeCode(page, 'hello')],
    ['This is neither a policy file', () => give(page, 'some.json', Buffer.from('{}'))],
    ['The file cannot be read', () => give(page, 'unreadable.pdf', DOCUMENT)],
  ]
  await page.evaluate(() => {
    const { arrayBuffer } = Blob.prototype
    Blob.prototype.arrayBuffer = async function refuse(this: Blob) {
      if (this instanceof File && this.name === 'unreadable.pdf') throw new Error('gone')
      return arrayBuffer.call(this)
    }
  })
  for (const [words, handIn] of ways) {
    await give(page, 'diploma.pdf', DOCUMENT)
    await expect(verdictOf(page)).toHaveText('Not found')
    await handIn()
    await expect(page.getByText(words)).toBeVisible()
    await expect(verdictOf(page)).toHaveCount(0)
    await expect(page.locator('#answer')).toHaveText('Now choose the certified PDF, or read a printed page.')
    await expect(page.getByRole('status').filter({ hasText: 'Not found' })).toHaveCount(0)
    await expect(fieldOf(page)).not.toHaveValue(/diploma/)
    // A policy judges what was handed in, and nothing was.
    await givePolicy(page, policy)
    await expect(verdictOf(page)).toHaveCount(0)
  }
  // What came after it stands, however long it took to find nothing.
  await picture.setInputFiles(pictureOf(makePng(2000)))
  await give(page, 'diploma.pdf', DOCUMENT)
  await expect(page.getByText('No code was found in this picture')).toBeVisible()
  await expect(verdictOf(page)).toHaveText('Not found')
  await page.context().close()
})

async function writeCode(page: Page, text: string): Promise<void> {
  await page.getByLabel('Text of the code').fill(text)
  await page.getByLabel('Text of the code').blur()
}

/** White, one bit a pixel. */
function makePng(side: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    sum.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, sum])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header[8] = 1
  const rows = Buffer.alloc((Math.ceil(side / 8) + 1) * side)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

test('16.23 a picture of more pixels than are taken is refused before it is unpacked, and so is one of another kind', async ({
  browser,
}) => {
  const page = await openSaved(browser)
  await page.evaluate(() => {
    const { createImageBitmap: make } = globalThis
    Object.assign(globalThis, {
      unpacked: 0,
      createImageBitmap: (source: Blob) => {
        ;(globalThis as unknown as { unpacked: number }).unpacked++
        return make(source)
      },
    })
  })
  const countUnpacked = () => page.evaluate(() => (globalThis as unknown as { unpacked: number }).unpacked)
  const givePicture = (buffer: Buffer, mimeType = 'image/png') =>
    page.getByLabel('Picture of the printed page').setInputFiles({ name: 'page', mimeType, buffer })
  await givePicture(makePng(20_000))
  await expect(page.getByText('This picture has too many pixels. At most 100 million are accepted.')).toBeVisible()
  await givePicture(
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="99999" height="99999"/>'),
    'image/svg+xml',
  )
  await expect(page.getByText('This is no picture that is read here. Save it as JPEG, PNG or WebP.')).toBeVisible()
  expect(await countUnpacked()).toBe(0)
  await givePicture(makePng(300))
  await expect(page.getByText(/^No code was found in this picture/)).toBeVisible()
  for (const type of ['image/webp', 'image/jpeg']) {
    const picture = await page.evaluate(async (kind) => {
      const canvas = Object.assign(document.createElement('canvas'), { width: 321, height: 123 })
      canvas.getContext('2d')?.fillRect(9, 9, 99, 99)
      const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, kind))
      return [...new Uint8Array((await blob?.arrayBuffer()) ?? new ArrayBuffer())]
    }, type)
    await givePicture(Buffer.from('no picture'))
    await expect(page.getByText(/^This is no picture that is read here/)).toBeVisible()
    await givePicture(Buffer.from(picture), type)
    await expect(page.getByText(/^No code was found in this picture/)).toBeVisible()
  }
  expect(await countUnpacked()).toBe(3)
  await page.context().close()
})

test('16.22 of a title whose beginning alone is in the code the page says so, and nothing is green', async ({
  browser,
}) => {
  for (const look of TWO_LOOKS) {
    const page = await openSaved(browser, look)
    await givePolicy(page, policy)
    const code = await signPaperCode(
      {
        proofId: '7Q3K-9ZB4-M0XT-C8VN-K',
        username: 'mallory.of.the.long.name.'.repeat(3),
        title: 'Master of Science in Film: how a guest student saw it',
        organisation: 'Example University',
        approvedAt: 1_767_323_045,
        expiresAt: null,
        pages: 3,
        filesRoot: 'ab'.repeat(32),
        reviewDocument: 'cd'.repeat(32),
      },
      signer,
    )
    await page.getByLabel('Text of the code').fill(code)
    await page.getByLabel('Text of the code').blur()
    await expect(verdictOf(page)).toHaveText('Signed, revocation unknown')
    await expect(page.getByText(/^How it goes on where only the beginning is in the code: Title\./)).toBeVisible()
    const title = page.getByLabel('Title', { exact: true })
    await title.fill('Master of Science in Film, with distinction')
    await title.blur()
    await expect(page.getByText('begins the same; the code does not hold the rest')).toBeVisible()
    await expect(page.getByText('says the same')).toHaveCount(0)
    await expect(page.locator('.compare .passed')).toHaveCount(0)
    await expect(page.getByText(/^MISMATCH/)).toHaveCount(0)
    expect(await findAccessibilityFaults(page)).toEqual([])
    expect(await scrollsSideways(page)).toBe(false)
    await takePicture(page, 'cut')
    await title.fill('Master of Arts')
    await title.blur()
    await expect(page.getByText(/^MISMATCH/)).toHaveCount(1)
    await page.context().close()
  }
})
