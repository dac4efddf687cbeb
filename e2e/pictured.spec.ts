import { expect, test } from '@playwright/test'
import { makeUnlikePdf } from '@proofdesk/certify/testing'
import { findAccessibilityFaults, scrollsSideways } from './support/accessibility.ts'
import { signInByApi } from './support/api.ts'
import { keepSignedIn } from './support/people.ts'
import { startServer, type RunningServer } from './support/running-server.ts'

/** Where pictures of the screens go, for whoever looks at them. */
const PICTURES = process.env['SCREEN_PICTURES']
const NOTE = 'Kept as pictures of its pages, as Chrome shows them: other programs show something else.'

let server: RunningServer
test.beforeAll(async () => {
  server = await startServer()
  await server.createUser({ username: 'ada' })
  await server.createUser({ username: 'sam', role: 'staff' })
})
test.afterAll(() => server.stop())

for (const width of [1440, 390])
  test(`11.21 who brings a file that is kept as pictures reads so beside it, and so does who reviews it (${width} pixels)`, async ({
    browser,
  }) => {
    const ada = await signInByApi(server, 'ada')
    const id = Number((await ada.post('/collections/', { title: 'Diploma' }))['id'])
    await ada.upload(id, 'Diploma', { name: 'diploma.pdf', buffer: makeUnlikePdf() })
    const viewport = { width, height: 900 }

    const owner = await browser.newContext({ baseURL: server.url, viewport })
    const page = await owner.newPage()
    await keepSignedIn(page, server, 'ada')
    await page.goto(`/content/${id}`)
    await expect(page.getByText(NOTE)).toBeVisible()
    expect(await findAccessibilityFaults(page)).toEqual([])
    expect(await scrollsSideways(page)).toBe(false)
    if (PICTURES) await page.screenshot({ path: `${PICTURES}/pictured-owner-${width}.png`, fullPage: true })
    await owner.close()

    await ada.post(`/collections/${id}/save/`, {})
    await expect
      .poll(async () => (await ada.get(`/collections/${id}`))['submission'])
      .toMatchObject({ document: 'ready' })
    const reviewer = await browser.newContext({ baseURL: server.url, viewport })
    const desk = await reviewer.newPage()
    await keepSignedIn(desk, server, 'sam')
    await desk.goto(`/content/${id}`)
    await expect(desk.getByRole('article', { name: 'Page 1 of 1' }).locator('canvas')).toBeVisible()
    await expect(desk.getByText(NOTE).first()).toBeVisible()
    expect(await findAccessibilityFaults(desk)).toEqual([])
    expect(await scrollsSideways(desk)).toBe(false)
    if (PICTURES) await desk.screenshot({ path: `${PICTURES}/pictured-reviewer-${width}.png` })
    await reviewer.close()
  })
