import { expect, test, type Page } from '@playwright/test'
import { spawnSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { makePdf } from '@proofdesk/certify/testing'
import type { Email } from 'postal-mime'
import { ALL_RULES, COLOUR_RULES, findAccessibilityFaults, scrollsSideways } from './support/accessibility.ts'
import { approveByApi, signInByApi } from './support/api.ts'
import { showCode } from './support/authenticator.ts'
import { PASSWORD, startServer, type RunningServer } from './support/running-server.ts'

/** Set to a folder to keep a picture of every mail, for looking at. */
const PICTURES = process.env['MAIL_PICTURES']

const ORGANISATION = 'City Registry · دفتر ثبت ۱۲'
/** Who has which account; usernames may be of any script. */
const NAMES = {
  newcomer: 'سارا.رضایی',
  mover: 'דנה-לוי_7',
  forgetful: 'Ελένη.Παππά',
  careful: 'Дмитрий.Ёлкин',
  secured: 'Nguyễn.Thị.Ánh',
  owner: 'यूसुफ़.शर्मा',
  asker: '王小明',
}
const TITLE = 'قرارداد اجارهٔ آپارتمان ۱۴۰۵ (Unit 12), نسخهٔ نهایی!'
const REJECTED = `租赁合同(第3版)/ 賃貸契約 / 임대차 계약 – ${'Donaudampfschifffahrtsgesellschaft'.repeat(3)}`
const REASON = [
  'صفحهٔ ۳ امضا ندارد (page 3).',
  'עמוד 3 אינו חתום – see "scan_3.pdf".',
  'الصفحة 3 غير موقعة!',
  'पृष्ठ ३ पर हस्ताक्षर नहीं है। 👩🏽‍⚖️📄',
  '   3ページ目に署名がありません。 3쪽에 서명이 없습니다.',
  '',
  `Подпишите, пожалуйста: ${'a'.repeat(180)}`,
].join('\n')
const TICKET = 'أين شهادتي؟ (diploma_2021.pdf) 🎓'

let server: RunningServer
let mails: { name: string; mail: Email }[] = []
test.beforeAll(async () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  server = await startServer({
    ORGANISATION,
    // As in earnest: mails that lead to a bare address are taken for spam.
    PUBLIC_URL: 'https://proof.example.org',
    MAIL_FROM: 'desk@proof.example.org',
    DKIM_DOMAIN: 'proof.example.org',
    DKIM_SELECTOR: 'desk',
    DKIM_KEY: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  })
  mails = await causeEveryMail()
})
test.afterAll(() => server.stop())

/** Does what each kind of mail follows from. */
async function causeEveryMail(): Promise<{ name: string; mail: Email }[]> {
  const found: { name: string; mail: Email }[] = []
  const keep = async (name: string, address: string, subject: RegExp) =>
    void found.push({ name, mail: await server.mailbox.waitFor(address, subject) })
  const join = async (who: keyof typeof NAMES, isVerified = true) => {
    await server.createUser({ username: NAMES[who], email: `${who}@example.test`, isVerified })
    return signInByApi(server, NAMES[who])
  }
  const send = (path: string, body: object) =>
    fetch(`${server.url}/backend/api/v1${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })

  const newcomer = await join('newcomer', false)
  await newcomer.post('/profile/resend_verification_email/', {})
  await keep('verification', 'newcomer@example.test', /Verify your e-mail/)

  const mover = await join('mover')
  await mover.patch('/profile/update_profile/', { email: 'moved@example.test' })
  await keep('new address', 'moved@example.test', /Verify your new/)
  await keep('old address told', 'mover@example.test', /was changed/)

  await join('forgetful')
  await send('/password/reset/', { email: 'forgetful@example.test' })
  await keep('reset', 'forgetful@example.test', /Set a new password/)

  const careful = await join('careful')
  await careful.post('/password/change/', { old_password: PASSWORD, new_password: 'An0ther!pass' })
  await keep('password changed', 'careful@example.test', /password for .* was changed/)

  const secured = await join('secured')
  const { secret } = await secured.get('/g2fa/gfa_qrcode/')
  await secured.patch('/g2fa/gfa_status/', { gfa_is_enabled: true, otp: showCode(String(secret)) })
  await secured.patch('/g2fa/gfa_status/', { gfa_is_enabled: false })
  await keep('two-factor off', 'secured@example.test', /switched off/)

  await server.createUser({ username: 'sam', role: 'staff' })
  const sam = await signInByApi(server, 'sam')
  const owner = await join('owner')
  for (const title of [TITLE, REJECTED]) {
    const { id } = await owner.post('/collections/', { title })
    await owner.upload(Number(id), 'Paper', { name: 'paper.pdf', buffer: makePdf() })
    await owner.post(`/collections/${String(id)}/save/`, {})
  }
  await approveByApi(sam, 1, { admin_desc: REASON, expire_time: null })
  await keep('approved', 'owner@example.test', /Approved/)
  await sam.post('/admin/2/reject/', { admin_desc: REASON })
  await keep('rejected', 'owner@example.test', /Please revise/)

  const asker = await join('asker')
  const ticket = Number((await asker.post('/ticket/', { title: TICKET }))['id'])
  await sam.post('/conversation/', { text: REASON, ticket })
  await keep('ticket answer', 'asker@example.test', /Answer to/)
  await send('/ticket/?email=visitor@example.test', { title: TICKET })
  await send('/ticket/link/', { email: 'visitor@example.test' })
  await keep('ticket link', 'visitor@example.test', /Your tickets/)

  await server.createUser({ username: 'sue', role: 'superuser' })
  const sue = await signInByApi(server, 'sue')
  await sue.post('/mail/test/', {})
  await keep('test mail', 'sue@example.test', /Test mail/)
  return found
}

/** The mail's HTML as a mail program shows it: with the pictures that came inside. */
function putPicturesIn({ html = '', attachments }: Email): string {
  return attachments.reduce((text, { contentId, mimeType, content }) => {
    const data = Buffer.from(content as ArrayBuffer).toString('base64')
    return text.replaceAll(`cid:${contentId?.slice(1, -1) ?? ''}`, `data:${mimeType};base64,${data}`)
  }, html)
}

/** Values whose neighbours of ours do not stand before and after them on their line, as they are read. */
async function findTurnedValues(page: Page): Promise<string[]> {
  return page.evaluate(
    (values) => {
      const turned: string[] = []
      for (const sentence of document.querySelectorAll('p')) {
        const letters: { node: Node; at: number }[] = []
        const walker = document.createTreeWalker(sentence, NodeFilter.SHOW_TEXT)
        for (let node = walker.nextNode(); node; node = walker.nextNode())
          for (let at = 0; at < (node.textContent ?? '').length; at++) letters.push({ node, at })
        const text = sentence.textContent
        const measure = (from: number, to: number): DOMRect[] =>
          letters.slice(from, to).flatMap(({ node, at }) => {
            const range = document.createRange()
            range.setStart(node, at)
            range.setEnd(node, at + 1)
            return [...range.getClientRects()].filter(({ width }) => width > 0)
          })
        for (const value of values) {
          const start = text.indexOf(value)
          if (start < 0) continue
          const end = start + value.length
          const rects = measure(start, end)
          const isBesides = (one: DOMRect) => (other: DOMRect) => Math.abs(one.bottom - other.bottom) < 8
          for (const before of text[start - 1]?.trim() ? measure(start - 1, start) : measure(start - 2, start - 1))
            if (rects.filter(isBesides(before)).some(({ left }) => left < before.right - 1)) turned.push(text)
          for (const after of text[end]?.trim() ? measure(end, end + 1) : measure(end + 1, end + 2))
            if (rects.filter(isBesides(after)).some(({ right }) => right > after.left + 1)) turned.push(text)
        }
      }
      return turned
    },
    [ORGANISATION, TITLE, REJECTED, TICKET, ...Object.values(NAMES)],
  )
}

const WIDTHS = [600, 360]
/** With the ground that a mail has then. */
const SCHEMES = [
  { colorScheme: 'light', rules: ALL_RULES, ground: 'rgb(246, 244, 238)' },
  { colorScheme: 'dark', rules: COLOUR_RULES, ground: 'rgb(18, 22, 28)' },
] as const

test('8.78 every mail is whole, readable and in its look, whatever script it quotes, wide and narrow, light and dark', async ({
  browser,
}) => {
  const context = await browser.newContext({ offline: true })
  const page = await context.newPage()
  for (const { name, mail } of mails) {
    await page.setContent(putPicturesIn(mail))
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 })
      const sizes = await page
        .locator('img')
        .evaluateAll((all) => all.map((one) => (one as HTMLImageElement).naturalWidth))
      expect(sizes, `pictures of ${name}`).toEqual(name === 'approved' ? [90, 192] : [90])
      for (const { colorScheme, rules, ground } of SCHEMES) {
        const look = `${name}, ${width} px, ${colorScheme}`
        await page.emulateMedia({ colorScheme })
        if (PICTURES) await page.screenshot({ path: `${PICTURES}/${look}.png`, fullPage: true })
        expect(await scrollsSideways(page), `${look} scrolls sideways`).toBe(false)
        expect(await findTurnedValues(page), look).toEqual([])
        // A mail has no landmarks: the mail program around it has.
        const faults = await findAccessibilityFaults(page, rules)
        expect(
          faults.filter((fault) => !/^(region|landmark-one-main)/.test(fault)),
          look,
        ).toEqual([])
        expect(await page.locator('body').evaluate((body) => getComputedStyle(body).backgroundColor), look).toBe(ground)
      }
    }
  }
  await context.close()
})

test('8.78 a mail program that turns mails dark by itself leaves them readable', async ({ browser }) => {
  const context = await browser.newContext({ viewport: { width: 600, height: 800 }, offline: true })
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setAutoDarkModeOverride', { enabled: true })
  for (const { name, mail } of mails.filter((one) => ['approved', 'rejected'].includes(one.name))) {
    // Such programs do not know of the mail's own dark look.
    await page.setContent(
      putPicturesIn(mail)
        .replace(/<style>[^]*?<\/style>/, '')
        .replaceAll(/<meta name="(?:supported-)?color-schemes?"[^>]*>/g, ''),
    )
    if (PICTURES) await page.screenshot({ path: `${PICTURES}/${name} turned dark.png`, fullPage: true })
    await expect(page.locator('img').first()).toBeVisible()
    expect(await scrollsSideways(page)).toBe(false)
  }
  await context.close()
})

/** As the mail server of whoever gets it passes it on. */
function putReceived(raw: Buffer): Buffer {
  const from = 'from mx.proof.example.org (mx.proof.example.org [193.99.144.80])'
  const by = `by mx.example.test (Postfix) with ESMTPS id 4F0A21C0; ${new Date().toUTCString().replace('GMT', '+0000')}`
  return Buffer.concat([Buffer.from(`Received: ${from}\r\n\t${by}\r\n`), raw])
}

test('8.90 no mail looks like spam to SpamAssassin, by the rules that ask nobody', () => {
  const isThere = spawnSync('spamassassin', ['--version']).status === 0
  test.skip(!isThere && process.env['CI'] !== 'true', 'SpamAssassin (Debian package spamassassin) is not installed')
  const spam = 'Subject: Test\r\n\r\nXJS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X\r\n'
  // Reading its rules takes it longer than all the mails do, so it is handed them at once.
  const files = [...mails.map(({ mail }) => server.mailbox.rawOf(mail)), Buffer.from(spam)].map((raw, at) => {
    const path = test.info().outputPath(`${at}.eml`)
    writeFileSync(path, putReceived(raw))
    return path
  })
  const { stdout } = spawnSync('spamassassin', ['--local', '--test-mode', ...files], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  const points = [...stdout.matchAll(/^X-Spam-Status: \w+, score=(-?[\d.]+)/gm)].map(([, one]) => Number(one))
  expect(points).toHaveLength(files.length)
  for (const [at, { name }] of mails.entries()) expect(points[at], name).toBeLessThanOrEqual(1)
  expect(points.at(-1)).toBeGreaterThan(100)
})

test('8.77 every mail is at most 30 kB, with a text part and nothing to fetch from elsewhere', () => {
  expect(mails.map(({ name }) => name)).toHaveLength(11)
  for (const { name, mail } of mails) {
    const pictures = mail.attachments.map(({ content }) => (content as ArrayBuffer).byteLength)
    const bytes = Buffer.byteLength(mail.html ?? '') + Buffer.byteLength(mail.text ?? '')
    const size = bytes + pictures.reduce((sum, one) => sum + one, 0) * (78 / 57)
    expect(size, name).toBeLessThan(30_000)
    expect(mail.text?.length, name).toBeGreaterThan(100)
    expect(mail.html, name).not.toMatch(/(?:src|background)="(?!cid:)|url\(|@import|<link|<script/)
  }
})
