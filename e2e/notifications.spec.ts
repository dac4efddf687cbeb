import { expect, test } from '@playwright/test'
import { makePdf } from '@proofdesk/certify/testing'
import { signInByApi } from './support/api.ts'
import { keepSignedIn } from './support/people.ts'
import { startServer, type RunningServer } from './support/running-server.ts'

let server: RunningServer
test.beforeAll(async () => {
  server = await startServer()
  await server.createUser({ username: 'ada' })
  await server.createUser({ username: 'sam', role: 'staff' })
})
test.afterAll(() => server.stop())

test('each notification arrives on the open page, leads to its place, and is read then', async ({ browser }) => {
  const page = await (await browser.newContext({ baseURL: server.url })).newPage()
  await keepSignedIn(page, server, 'ada')
  await page.goto('/dashboard')
  const [ada, sam] = [await signInByApi(server, 'ada'), await signInByApi(server, 'sam')]
  const send = async (title: string): Promise<number> => {
    const collection = Number((await ada.post('/collections/', { title }))['id'])
    await ada.upload(collection, 'The lease', { name: 'lease.pdf', buffer: makePdf() })
    await ada.get(`/collections/${collection}/save/`)
    return collection
  }
  const openNotification = async (type: string): Promise<void> => {
    await page.getByRole('button', { name: 'Notifications, 1 unread', exact: true }).click()
    const item = page
      .getByRole('button', { name: new RegExp(type) })
      .or(page.getByRole('link', { name: new RegExp(type) }))
    await expect(item.first()).toContainText('0 minute(s) ago')
    await item.first().click()
    await expect(page.getByText('0 minute(s) ago')).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Notifications', exact: true })).toBeVisible()
  }

  const rejected = await send('Lease')
  await sam.post(`/admin/${rejected}/reject/`, { admin_desc: 'Page 2 is missing.' })
  await openNotification('REJECTED_COLLECTION')
  await expect(page).toHaveURL(`/content/${rejected}`)
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Lease')

  await sam.post(`/admin/${await send('Diploma')}/approve/`, { admin_desc: 'In order.', expire_time: null })
  await openNotification('APPROVED_COLLECTION')
  await expect(page).toHaveURL('/server-content')
  await expect(page.getByRole('main')).toContainText('Diploma')

  const { id: ticket } = await ada.post('/ticket/', { title: 'Where is it?' })
  await ada.post('/conversation/', { text: 'I cannot find it.', ticket })
  await sam.post('/conversation/', { text: 'Under Server Content.', ticket })
  await openNotification('ANSWER_TICKET')
  await expect(page).toHaveURL(/\/ticket(\?|$)/)
  await page.context().close()
})
