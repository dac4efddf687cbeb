import { expect, test, type Browser, type Page } from '@playwright/test'
import { makeJpeg, makePdf, makePng, needJudge, runJudge } from '@proofdesk/certify/testing'
import { readProofId } from '@proofdesk/proof/proof-id'
import { verifySeal } from '@proofdesk/proof/verify-seal'
import { createHash, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { watchComplaints } from './support/accessibility.ts'
import { findLink } from './support/mailbox.ts'
import { addContent, openCollection, sendForReview, signIn, signOut } from './support/people.ts'
import { PASSWORD, startServer, type RunningServer } from './support/running-server.ts'

const TITLE = 'Lease agreement – 14 Rue Cler'
const USERNAME = 'ada.lovelace'
const EMAIL = 'ada@example.test'

let server: RunningServer
test.beforeAll(async () => {
  server = await startServer()
  await server.createUser({ username: 'sam', role: 'staff' })
})
test.afterAll(() => server.stop())

async function openPage(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ baseURL: server.url, acceptDownloads: true })
  return context.newPage()
}

test('from registration to a document that a stranger verifies', async ({ browser }) => {
  const owner = await openPage(browser)
  const staff = await openPage(browser)
  const stranger = await openPage(browser)
  const complaints = [owner, staff, stranger].map(watchComplaints)
  let proofId = ''

  await test.step('a visitor registers and verifies the address by the link in the mail', async () => {
    await owner.goto('/')
    await owner.getByRole('banner').getByRole('link', { name: 'Register' }).click()
    await expect(owner.getByRole('heading', { level: 1, name: 'Create an Account' })).toBeVisible()
    for (const [label, value] of [
      ['First Name', 'Ada'],
      ['Last Name', 'Lovelace'],
      ['Email', EMAIL],
      ['Username', USERNAME],
      ['Password', PASSWORD],
      ['Confirm Password', PASSWORD],
      ['Phone Number', '+44 20 7946 0958'],
    ] as const)
      await owner.getByLabel(label, { exact: true }).fill(value)
    await owner.getByRole('main').getByRole('button', { name: 'Register' }).click()
    await expect(owner.getByText('Registration Successful!')).toBeVisible()
    await owner.getByRole('button', { name: 'OK' }).click()
    await expect(owner).toHaveURL(/\/login$/)

    await signIn(owner, USERNAME)
    await expect(owner.getByText('Please Verify Your Email')).toBeVisible()
    await owner.goto('/collection')
    await expect(owner.getByText('Please verify your Email and login Again')).toBeVisible()
    await signOut(owner)

    const mail = await server.mailbox.waitFor(EMAIL, /verify/i)
    await owner.goto(findLink(mail, /\/verify-email\//))
    await owner.getByRole('button', { name: 'Verify my e-mail' }).click()
    await expect(owner.getByText('Your e-mail is verified')).toBeVisible()
  })

  await test.step('2.87 the owner gathers a PDF, a JPEG and a PNG and sends them for review', async () => {
    await signIn(owner, USERNAME)
    await owner.goto('/collection')
    await owner.getByLabel('Collection title').fill(TITLE)
    await owner.getByRole('button', { name: 'Create collection' }).click()
    await expect(owner.getByText('Collection created successfully!')).toBeVisible()
    await openCollection(owner, TITLE)
    await expect(owner.getByRole('heading', { level: 1 })).toHaveText(`Collection Management: ${TITLE}`)
    const pdf = makePdf({ pages: 2, text: 'Lease page' })
    await addContent(owner, 'The lease', { name: 'lease.pdf', mimeType: 'application/pdf', buffer: pdf })
    await addContent(owner, 'The flat', { name: 'flat.jpg', mimeType: 'image/jpeg', buffer: await makeJpeg() })
    await sendForReview(owner)
    await openCollection(owner, TITLE)
    await expect(owner.getByRole('heading', { level: 1 })).toHaveText(`Your Collection is Locked : ${TITLE}`)
  })

  await test.step('2.94 2.95 4.38 staff views the files and rejects with a reason', async () => {
    await signIn(staff, 'sam')
    await openCollection(staff, TITLE)
    await staff.getByRole('button', { name: /^View The flat/ }).click()
    const desk = staff.getByRole('region', { name: 'Documents' })
    await expect(desk.getByRole('article', { name: 'Page 3 of 3' }).locator('canvas')).toBeInViewport()
    const [tab] = await Promise.all([
      staff.context().waitForEvent('page'),
      staff.getByRole('button', { name: /^Open The lease.* in a new tab$/ }).click(),
    ])
    await expect(tab).toHaveURL(/^blob:/)
    await tab.close()
    await staff.getByRole('button', { name: 'Reject' }).click()
    const dialog = staff.getByRole('dialog')
    await dialog.getByLabel('Admin description').fill('The floor plan is missing.')
    await dialog.getByRole('button', { name: 'Reject' }).click()
    await expect(staff.getByText('Rejected!')).toBeVisible()
    await expect(staff).toHaveURL(/\/dashboard$/)
  })

  await test.step('the owner reads the reason, adds what was missing and sends again', async () => {
    await server.mailbox.waitFor(EMAIL, /The floor plan is missing\./)
    await owner.reload()
    await owner.getByRole('button', { name: /^Notifications/ }).click()
    await owner.getByText('REJECTED_COLLECTION').click()
    await expect(owner).toHaveURL(/\/content\/\d+$/)
    await expect(owner.getByLabel('About this collection').getByText('The floor plan is missing.')).toBeVisible()
    for (const name of ['Activity', 'Submissions'])
      await expect(owner.getByRole('region', { name }).getByText('Rejected by sam')).toBeVisible()
    await expect(owner.getByText('The floor plan is missing.')).toHaveCount(1)
    await addContent(owner, 'Floor plan', { name: 'plan.png', mimeType: 'image/png', buffer: await makePng() })
    await owner.getByLabel('Comment', { exact: true }).fill('Here it is.')
    await owner.getByRole('button', { name: 'Send', exact: true }).click()
    await expect(owner.getByText('Comment created')).toBeVisible()
    await sendForReview(owner)
  })

  await test.step('staff approves with an expiry', async () => {
    await openCollection(staff, TITLE)
    await expect(staff.getByText('Here it is.')).toBeVisible()
    await staff.getByRole('button', { name: 'Approve' }).click()
    const dialog = staff.getByRole('dialog')
    await dialog.getByLabel('Admin description').fill('Checked against the land registry.')
    await dialog.getByLabel('Expire time').fill('2031-06-01T12:00')
    await dialog.getByRole('button', { name: 'Approve' }).click()
    await expect(staff.getByText('Approved!')).toBeVisible({ timeout: 20_000 })
    // On a machine that takes longer than ten seconds to seal, one stays and is told there.
    const isLed = () => staff.url().endsWith('/dashboard')
    const isTold = () => staff.getByRole('region', { name: 'Certified' }).isVisible()
    await expect.poll(async () => isLed() || (await isTold())).toBe(true)
  })

  await test.step('the owner sees the Proof ID', async () => {
    await server.mailbox.waitFor(EMAIL, /Approved/)
    await owner.goto('/collection')
    const row = owner.getByRole('row', { name: new RegExp(TITLE) })
    await expect(row).toContainText('APPROVED')
    proofId = readProofId((await row.innerText()).match(/[0-9A-Z]{4}(-[0-9A-Z]{4}){3}-\S/)?.[0] ?? '') ?? ''
    expect(proofId).not.toBe('')
  })

  await test.step('2.135 6.38 a stranger verifies with Proof ID and username, views and downloads', async () => {
    await stranger.goto('/')
    await stranger.getByRole('link', { name: 'Verify Document Now' }).click()
    await stranger.getByLabel('Proof ID').fill(proofId)
    await stranger.getByLabel('Username').fill('somebody.else')
    await stranger.getByRole('button', { name: 'Verify Document' }).click()
    await expect(stranger.getByText('No Content Found')).toBeVisible()
    await expect(stranger.getByText('Check your ProodID and Username Again')).toBeVisible()

    await stranger.getByLabel('Proof ID').fill(proofId.toLowerCase().replaceAll('-', ' '))
    await stranger.getByLabel('Username').fill(USERNAME)
    await stranger.getByRole('button', { name: 'Verify Document' }).click()
    await expect(stranger.getByText('Document Verified Successfully!')).toBeVisible()
    const [download] = await Promise.all([
      stranger.waitForEvent('download'),
      stranger
        .getByRole('button', { name: 'Download', exact: true })
        .or(stranger.getByRole('link', { name: 'Download', exact: true }))
        .click(),
    ])
    expect(download.suggestedFilename()).toBe(`content_${USERNAME}.pdf`)
    await judge(await download.path())
  })

  expect(complaints.flat(), 'what the browser refused').toEqual([])

  async function judge(file: string): Promise<void> {
    const bytes = await readFile(file)
    const ca = new X509Certificate(await readFile(join(server.dataDir, 'keys/issuing/ca.cert.pem')))
    const pins = [createHash('sha256').update(ca.raw).digest('hex')]
    const verdict = await verifySeal(bytes, { pins })
    expect(verdict.revision0Size).toBeLessThan(bytes.length)
    const flipped = Buffer.from(bytes)
    flipped[1000]! ^= 1
    await expect(verifySeal(flipped, { pins })).rejects.toThrow()

    const note = (reason?: string) =>
      void test.info().annotations.push({ type: 'not judged', description: reason ?? '' })
    if (!needJudge({ skip: note }, 'qpdf', 'pdfsig', 'pdftotext', 'pdfdetach')) return
    expect((await runJudge('qpdf', '--check', file)).text).toContain('No syntax or stream encoding errors')
    const signature = (await runJudge('pdfsig', file)).text
    expect(signature).toContain('Signature is Valid')
    expect(signature).toContain('Total document signed')
    const { text } = await runJudge('pdftotext', '-layout', file, '-')
    for (const expected of [proofId, USERNAME, 'sam', 'City Registry', 'Lease page 1', 'Lease page 2', 'page 5 of 5'])
      expect(text).toContain(expected)
    expect((await runJudge('pdfdetach', '-list', file)).text).toContain('proofdesk.json')
  }
})

test('the link in the QR code opens the verification filled in, also on a phone', async ({ browser }) => {
  const context = await browser.newContext({
    baseURL: server.url,
    viewport: { width: 390, height: 844 },
    hasTouch: true,
  })
  const phone = await context.newPage()
  await phone.goto('/service-content#proofid=0000-0000-0000-0000-0&username=nobody')
  await expect(phone.getByLabel('Proof ID')).toHaveValue('0000-0000-0000-0000-0')
  await expect(phone.getByLabel('Username')).toHaveValue('nobody')
  await phone.getByRole('button', { name: 'Verify Document' }).tap()
  await expect(phone.getByText('No Content Found')).toBeVisible()
})
