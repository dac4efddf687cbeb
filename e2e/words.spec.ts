import { expect, test, type Browser, type Locator, type Page } from '@playwright/test'
import { makePdf } from '@proofdesk/certify/testing'
import { approveByApi, signInByApi } from './support/api.ts'
import { keepSignedIn, openCollection } from './support/people.ts'
import { startServer, type RunningServer } from './support/running-server.ts'
import { expectAbout, watchStay } from './support/timing.ts'

// Sizes and times of the specification, measured in a real browser.

let server: RunningServer
test.beforeAll(async () => {
  server = await startServer()
  await server.createUser({ username: 'ada' })
  await server.createUser({ username: 'una', isVerified: false })
  await server.createUser({ username: 'sam', role: 'staff' })
  const [ada, sam] = [await signInByApi(server, 'ada'), await signInByApi(server, 'sam')]
  for (const title of ['Lasting', 'Short-lived', 'Degree']) {
    const id = Number((await ada.post('/collections/', { title }))['id'])
    await ada.upload(id, 'Paper', { name: 'paper.pdf', buffer: makePdf({ pages: 1 }) })
    if (title === 'Degree') continue
    await ada.post(`/collections/${id}/save/`, {})
    const expiry = title === 'Lasting' ? null : new Date(Date.now() + 20_000).toISOString()
    await approveByApi(sam, id, { admin_desc: 'Fine', expire_time: expiry })
  }
  await ada.post('/ticket/', { title: 'Lost seal' })
})
test.afterAll(() => server.stop())

async function openPage(browser: Browser, username?: string): Promise<Page> {
  const context = await browser.newContext({ baseURL: server.url, viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  if (username) await keepSignedIn(page, server, username)
  return page
}

async function measure(locator: Locator): Promise<{ x: number; y: number; width: number; height: number }> {
  const box = await locator.boundingBox()
  if (!box) throw new Error('it is not on the screen')
  return box
}

/** Red, green and blue, 0 to 255, however the style sheet writes the colour. */
function readColour(locator: Locator): Promise<[number, number, number]> {
  return locator.evaluate((element) => {
    const canvas = document.createElement('canvas').getContext('2d')!
    canvas.fillStyle = getComputedStyle(element).backgroundColor
    canvas.fillRect(0, 0, 1, 1)
    const [red = 0, green = 0, blue = 0] = canvas.getImageData(0, 0, 1, 1).data
    return [red, green, blue] as [number, number, number]
  })
}

test('2.16 2.27 2.28 2.34 2.35 the notification list is 80 units wide, 8 px below the bell, and says that it loads', async ({
  browser,
}) => {
  const page = await openPage(browser, 'ada')
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  await page.route(/\/notification\/$/, async (route) => {
    await held
    await route.continue()
  })
  await page.goto('/dashboard')
  const bell = page.getByRole('button', { name: /^Notifications/ })
  await bell.click()
  await expect(page.getByText('Loading notifications...')).toBeVisible()
  release()
  await expect(page.getByText('APPROVED_COLLECTION').first()).toBeVisible()
  const list = page.getByRole('dialog', { name: 'Notifications' })
  // Its opening is animated.
  await expect.poll(async () => (await measure(list)).width).toBe(320)
  await list.evaluate((element) => Promise.all(element.getAnimations().map(({ finished }) => finished)))
  const [above, below] = [await measure(bell), await measure(list)]
  // The bell may stand on half a pixel, the list never does.
  expect(Math.abs(below.y - (above.y + above.height) - 8)).toBeLessThanOrEqual(0.5)
  await bell.click()
  await expect(list).toBeHidden()
  await bell.click()
  await page.getByText('APPROVED_COLLECTION').first().click()
  await expect(page).toHaveURL(/\/server-content$/)
})

test('2.24 2.26 the banner of an unverified e-mail is yellow, Logout is red', async ({ browser }) => {
  const page = await openPage(browser, 'una')
  await page.goto('/dashboard')
  const banner = page.getByText('Please Verify Your Email').locator('..')
  const [red, green, blue] = await readColour(banner)
  expect(Math.min(red, green)).toBeGreaterThan(blue)
  const logout = await readColour(page.getByRole('button', { name: 'Logout' }))
  expect(logout[0]).toBeGreaterThan(1.5 * Math.max(logout[1], logout[2]))
  await expect(page.getByRole('button', { name: /^Notifications/ })).toHaveCount(0)
})

test('2.98 2.125 9.12 9.13 the panels of comments and conversation are 500 px high', async ({ browser }) => {
  const page = await openPage(browser, 'ada')
  await openCollection(page, 'Degree')
  expect((await measure(page.getByRole('region', { name: 'Comments', exact: true }))).height).toBe(500)
  await page.goto('/ticket')
  await page.getByRole('button', { name: 'Lost seal' }).click()
  expect((await measure(page.getByRole('region', { name: /^Conversation of/ }))).height).toBe(500)
})

test('9.21 the success dialogs of the profile close after 1500 ms', async ({ browser }) => {
  const page = await openPage(browser, 'ada')
  await page.goto('/profile')
  const stay = await watchStay(page, 'Profile updated successfully')
  await page.getByRole('button', { name: 'Update Profile' }).click()
  await expect(page.getByRole('alertdialog', { name: 'Profile updated successfully' })).toBeVisible()
  expectAbout(await stay(), 1500)
})

test('2.107 2.109 rows of server content that are no longer active are highlighted', async ({ browser }) => {
  const page = await openPage(browser, 'ada')
  // It runs out while this waits. Only a page opened anew asks again.
  await expect(async () => {
    await page.goto('/server-content')
    const shortLived = page.getByRole('row', { name: /Short-lived/ })
    await expect(shortLived).toBeVisible()
    expect(await shortLived.textContent()).toContain('Inactive')
  }).toPass({ timeout: 60_000 })
  const [inactive, active] = [/Short-lived/, /Lasting/].map((name) => page.getByRole('row', { name }))
  expect(await readColour(inactive!)).not.toEqual(await readColour(active!))
  const [tab] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('button', { name: 'View PDF of Lasting' }).click(),
  ])
  await expect(tab).toHaveURL(/^blob:/)
})

test('the end of a Proof ID is drawn one sign a character, wherever codes stand', async ({ browser }) => {
  const page = await openPage(browser)
  await page.goto('/service-content')
  await page.getByLabel('Proof ID').fill('7ZQK-3M9D-XW2C-VB4T-~')
  for (const end of ['-~', '-=', '-*', '~~', '://', '->']) {
    await page.evaluate((text) => {
      const lines: [id: string, parts: string[]][] = [
        ['apart', [...text]],
        ['whole', [text]],
      ]
      for (const [id, parts] of lines) {
        document.querySelector(`#${id}`)?.remove()
        const line = document.createElement('p')
        line.id = id
        line.className = 'font-mono'
        line.style.cssText =
          'position:fixed;inset-block-start:0;background:white;color:black;font-size:60px;width:300px;z-index:99'
        for (const part of parts) {
          const box = document.createElement('span')
          // Between boxes of their own no characters are drawn as one.
          box.style.display = 'inline-block'
          box.textContent = part
          line.append(box)
        }
        document.body.append(line)
      }
    }, end)
    await page.evaluate(() => document.fonts.ready)
    const whole = await page.locator('#whole').screenshot()
    await page.locator('#whole').evaluate((line) => line.remove())
    const apart = await page.locator('#apart').screenshot()
    expect(whole.equals(apart), end).toBe(true)
  }
  const field = page.getByLabel('Proof ID')
  expect(await field.evaluate((input) => getComputedStyle(input).fontFeatureSettings)).toContain('"calt" 0')
})

test('a verified document, and an approved collection, are printed as one sheet without what is there to be pressed', async ({
  browser,
}) => {
  const page = await openPage(browser, 'ada')
  const { results } = await (await signInByApi(server, 'ada')).get('/content-servers/?ordering=created_at')
  const [{ collection_proofid: proofId }] = results as [{ collection_proofid: string }]
  await page.goto(`/service-content#${new URLSearchParams({ proofid: proofId, username: 'ada' })}`)
  await page.getByRole('button', { name: 'Verify Document' }).click()
  await expect(page.getByText('Document Verified Successfully!')).toBeVisible()
  await expect(page.getByRole('img', { name: 'QR code of the verification link' })).toBeVisible()
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByText('Document Verified Successfully!')).toBeVisible()
  await expect(page.getByText(/^Looked up on/)).toBeVisible()
  for (const hidden of [page.getByRole('banner'), page.getByRole('contentinfo'), page.getByRole('button')])
    await expect(hidden).toHaveCount(0)
  expect(countPages(await page.pdf({ format: 'A4' }))).toBe(1)

  await page.emulateMedia({ media: 'screen' })
  const lasting = await (await signInByApi(server, 'ada')).get('/collections/?search=Lasting')
  await page.goto(`/content/${(lasting['results'] as [{ id: number }])[0].id}`)
  await expect(page.getByRole('img', { name: 'QR code of the verification link' })).toBeVisible()
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByText(proofId).first()).toBeVisible()
  for (const hidden of [
    page.getByRole('banner'),
    page.getByRole('contentinfo'),
    page.getByRole('region', { name: 'Comments' }),
  ])
    await expect(hidden).toHaveCount(0)
  expect(countPages(await page.pdf({ format: 'A4' }))).toBe(1)
})

function countPages(pdf: Buffer): number {
  return pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0
}

test('2.134 a verified document opens in a new tab', async ({ browser }) => {
  const page = await openPage(browser)
  const { results } = await (await signInByApi(server, 'ada')).get('/content-servers/?ordering=created_at')
  const [{ collection_proofid: proofId }] = results as [{ collection_proofid: string }]
  await page.goto(`/service-content#${new URLSearchParams({ proofid: proofId, username: 'ada' })}`)
  await page.getByRole('button', { name: 'Verify Document' }).click()
  const [tab] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('button', { name: 'View PDF' }).click(),
  ])
  await expect(tab).toHaveURL(/^blob:/)
})

test('2.57 the sign-in sends a signed-in person on and leaves no trace in the history', async ({ browser }) => {
  const page = await openPage(browser, 'ada')
  await page.goto('/profile')
  // Leaving earlier would throw away the session's new token while it is on its way.
  await expect(page.getByLabel('First Name')).toBeVisible()
  await page.goto('/login')
  await expect(page.getByRole('heading', { name: /^Welcome, ada/ })).toBeVisible()
  await expect(page).toHaveURL(/\/dashboard$/)
  await page.goBack()
  await expect(page).toHaveURL(/\/profile$/)
})
