import { expect, test, type Browser, type BrowserContext, type Page } from '@playwright/test'
import { signInByApi, type ApiClient } from './support/api.ts'
import { layDyingLine, type DyingLine } from './support/dying-line.ts'
import { keepSignedIn } from './support/people.ts'
import { startServer, type RunningServer } from './support/running-server.ts'

// The server does its work, and the browser never hears of it.

let server: RunningServer
let ada: ApiClient
let line: DyingLine
test.beforeAll(async () => {
  server = await startServer()
  await server.createUser({ username: 'ada' })
  ada = await signInByApi(server, 'ada')
  line = await layDyingLine(server.url)
})
test.afterAll(async () => {
  await line.close()
  await server.stop()
})

const contexts: BrowserContext[] = []
test.afterEach(async () => {
  for (const context of contexts.splice(0)) await context.close()
})

async function openCollection(browser: Browser, title: string, baseURL: string): Promise<{ page: Page; id: number }> {
  const { id } = await ada.post('/collections/', { title })
  const context = await browser.newContext({ baseURL })
  contexts.push(context)
  const page = await context.newPage()
  await keepSignedIn(page, server, 'ada', baseURL)
  await page.goto(`/content/${String(id)}`)
  return { page, id: Number(id) }
}

async function listComments(id: number): Promise<string[]> {
  const { results } = (await ada.get(`/comments/?collection=${id}`)) as { results: { text: string }[] }
  return results.map(({ text }) => text)
}

test('24.12 a comment whose answer was cut off is there once after the page was loaded anew and Send pressed again', async ({
  browser,
}) => {
  const { page, id } = await openCollection(browser, 'Cut off', server.url)
  let sent = 0
  await page.route('**/backend/api/v1/comments/', async (route) => {
    sent += 1
    if (sent > 1) return route.continue()
    await route.fetch()
    return route.abort('connectionreset')
  })
  await page.getByRole('textbox', { name: 'Comment' }).fill('Here it is.')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(page.getByText('The server does not answer.')).toBeVisible()
  expect(await listComments(id)).toEqual(['Here it is.'])
  await page.reload()
  await expect(page.getByRole('textbox', { name: 'Comment' })).toHaveValue('Here it is.')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(page.getByText('Comment created')).toBeVisible()
  expect(sent).toBe(2)
  expect(await listComments(id)).toEqual(['Here it is.'])
})

test('24.1 a comment that the browser itself sends again on a connection that died is there once', async ({
  browser,
}) => {
  const { page, id } = await openCollection(browser, 'Died', line.url)
  await page.getByRole('textbox', { name: 'Comment' }).fill('Once, please.')
  line.loseNext('POST /backend/api/v1/comments/')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(page.getByText('Comment created')).toBeVisible()
  expect(line.calls.filter((call) => call === 'POST /backend/api/v1/comments/')).toHaveLength(2)
  expect(await listComments(id)).toEqual(['Once, please.'])
})
