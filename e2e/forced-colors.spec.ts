import { expect, test, type Locator } from '@playwright/test'
import { signInByApi } from './support/api.ts'
import { keepSignedIn } from './support/people.ts'
import { startServer, type RunningServer } from './support/running-server.ts'

let server: RunningServer
test.beforeAll(async () => {
  server = await startServer()
  await server.createUser({ username: 'sue', role: 'superuser' })
  await server.createUser({ username: 'amy', role: 'admin' })
  await server.createUser({ username: 'ada' })
  const ada = await signInByApi(server, 'ada')
  for (const title of ['Lost seal', 'Opening hours']) await ada.post('/ticket/', { title })
})
test.afterAll(() => server.stop())

const groundOf = (element: Locator) => element.evaluate((one) => getComputedStyle(one).backgroundColor)

/** By their grounds, since nothing else of them differs. */
async function expectTold(one: Locator, other: Locator, what: string): Promise<void> {
  expect(await groundOf(one), what).not.toBe(await groundOf(other))
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`where the system sets the colours, ${colorScheme}, one sees what is on, pressed and chosen`, async ({
    browser,
  }) => {
    const context = await browser.newContext({
      baseURL: server.url,
      forcedColors: 'active',
      colorScheme,
      reducedMotion: 'reduce',
    })
    const page = await context.newPage()
    await keepSignedIn(page, server, 'sue')
    await page.goto('/users')
    const [on, off] = ['Admin: amy', 'Staff: amy'].map((name) => page.getByRole('switch', { name }))
    await expect(on!).toBeChecked()
    await expect(off!).not.toBeChecked()
    for (const track of [on!, off!]) await expectTold(track, track.locator('> span'), 'where its thumb is')
    await expectTold(on!, off!, 'on and off')

    const [pressed, other] = ['All Users', 'Staff Users'].map((name) => page.getByRole('button', { name }))
    await pressed!.click()
    await expect(pressed!).toHaveAttribute('aria-pressed', 'true')
    await expectTold(pressed!, other!, 'the filter that is pressed')
    const menu = page.getByRole('navigation').first()
    await expectTold(
      menu.getByRole('link', { name: 'Users' }),
      menu.getByRole('link', { name: 'Health' }),
      'the screen',
    )

    await page.getByRole('button', { name: 'Options for amy' }).press('Enter')
    const options = page.getByRole('menuitem')
    await options.first().press('ArrowDown')
    await expect(options.nth(1)).toBeFocused()
    await expectTold(options.nth(1), options.first(), 'the option one is at')
    await page.keyboard.press('Escape')

    await page.keyboard.press('ControlOrMeta+k')
    await page.getByRole('combobox').fill('e')
    await expectTold(page.getByRole('option').first(), page.getByRole('option').nth(1), 'the screen Enter leads to')

    await page.goto('/ticket')
    await page.getByRole('button', { name: 'Lost seal' }).click()
    await expectTold(
      page.getByRole('button', { name: 'Lost seal' }),
      page.getByRole('button', { name: 'Opening hours' }),
      'the ticket that is open',
    )
    await context.close()
  })
}
