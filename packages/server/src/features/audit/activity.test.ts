import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptyOldLinks } from '../../audit/empty-old-links.ts'
import { makeLinks } from '../../audit/make-links.ts'
import { ENGINES, startTestServer, type TestClient } from '../../testing.ts'
import { addFile, must, openCollection, plantCollection, sendCollection } from '../../testing/collections.ts'

const DAY_MS = 24 * 60 * 60 * 1000

interface Step {
  kind: string
  at: string | null
  by: string | null
  text: string | null
}

async function read(client: TestClient, id: number): Promise<(string | null)[][]> {
  const { results } = must(await client.get(`/collections/${id}/activity/`), 200)
  return (results as Step[]).map(({ kind, by, text }) => [kind, by, ...(text === null ? [] : [text])])
}

for (const engine of ENGINES) {
  test(`10.8 owner and reviewers read what became of a collection: sent, opened, rejected because, sent again, approved by (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const [ada, eve] = [await server.signIn('ada'), await server.signIn('eve')]
    const [sam, tess] = [
      await server.signIn('sam', { is_staff: true }),
      await server.signIn('tess', { is_staff: true }),
    ]
    const id = await sendCollection(ada)
    await sam.get(`/collections/${id}`)
    await tess.get(`/collections/${id}`)
    must(await sam.post(`/admin/${id}/reject/`, { admin_desc: 'Page 2 is missing' }), 200)
    await tess.get(`/collections/${id}`)
    must(await ada.post(`/collections/${id}/save/`), 200)
    await sam.get(`/collections/${id}`)
    must(await sam.post(`/admin/${id}/approve/`, { admin_desc: 'Well done', expire_time: null }), 200)

    assert.deepEqual(await read(sam, id), [
      ['created', 'ada'],
      ['sent', 'ada'],
      ['opened', 'sam'],
      ['opened', 'tess'],
      ['rejected', 'sam', 'Page 2 is missing'],
      ['sent_again', 'ada'],
      ['opened', 'sam'],
      ['approved', 'sam', 'Well done'],
    ])
    // Who looked is the reviewers' own affair; who decided stands on the certificate.
    assert.deepEqual(await read(ada, id), [
      ['created', 'ada'],
      ['sent', 'ada'],
      ['opened', null],
      ['rejected', 'sam', 'Page 2 is missing'],
      ['sent_again', 'ada'],
      ['opened', null],
      ['approved', 'sam', 'Well done'],
    ])
    assert.doesNotMatch((await ada.get(`/collections/${id}/activity/`)).body, /network|tess|link/)
    assert.equal((await eve.get(`/collections/${id}/activity/`)).status, 404)
    assert.equal((await server.stranger.get(`/collections/${id}/activity/`)).status, 401)
  })

  test(`10.8 a file that a reviewer deletes is told to its owner, by a notification and among the steps; an own one is not (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const ada = await server.signIn('ada')
    const sam = await server.signIn('sam', { is_staff: true })
    const id = await openCollection(ada)
    must(await ada.delete(`/contents/${await addFile(ada, id)}/`), 204)
    const [unsent, sent] = [await addFile(ada, id), await addFile(ada, id)]
    const { results: contents } = must(await ada.get(`/contents/?collection=${id}`), 200)
    const { title, file_name } = contents.find((content: { id: number }) => content.id === sent)
    must(await sam.delete(`/contents/${unsent}/`), 204)
    must(await ada.post(`/collections/${id}/save/`), 200)
    await sam.get(`/collections/${id}`)
    must(await sam.delete(`/contents/${sent}/`), 204)
    await sam.get(`/collections/${id}`)

    const { results } = must(await ada.get(`/collections/${id}/activity/`), 200)
    assert.deepEqual(
      results.map(({ kind, by, file }: Step & { file: unknown }) => [kind, by, file]),
      [
        ['created', 'ada', null],
        ['file_removed', 'sam', null],
        ['sent', 'ada', null],
        ['opened', null, null],
        ['file_removed', 'sam', { title, file_name }],
      ],
    )
    const { results: notes } = must(await ada.get('/notification/'), 200)
    assert.deepEqual(
      notes.map(({ type, path, title: told, file }: Record<string, unknown>) => [type, path, told, file]),
      Array.from({ length: 2 }, () => ['REMOVED_FILE', String(id), 'Degree', file_name]),
    )
    assert.deepEqual(must(await sam.get('/notification/'), 200).results, [])
  })

  test(`10.9 a collection from before the trail still tells what its rows know (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const ada = await server.signIn('ada')
    const owner = (await ada.get('/user/info')).json()
    const sam = await server.createUser({ username: 'sam', is_staff: true })
    const plant = async (state: 'opened' | 'answered' | 'sent' | 'approved') => {
      const { id } = await plantCollection(server, owner, state, sam)
      const times = { submitted_at: state === 'opened' ? null : server.clock.now(), reviewer_id: sam.id }
      await server.deps.db.updateTable('collections').set(times).where('id', '=', id).execute()
      return (await read(ada, id)).map(([kind]) => kind)
    }
    assert.deepEqual(await plant('opened'), ['created'])
    assert.deepEqual(await plant('sent'), ['created', 'sent'])
    assert.deepEqual(await plant('answered'), ['created', 'sent', 'rejected'])
    assert.deepEqual(await plant('approved'), ['created', 'sent', 'approved'])
  })

  test(`10.9 what is no longer kept is told from the collection's rows (${engine})`, async (t) => {
    const server = await startTestServer(t, engine, { config: { auditKeepDays: 30 } })
    const ada = await server.signIn('ada')
    const id = await sendCollection(ada)
    const sam = await server.signIn('sam', { is_staff: true })
    must(await sam.post(`/admin/${id}/reject/`, { admin_desc: 'Page 2 is missing' }), 200)
    await makeLinks(server.deps)
    server.clock.advance(31 * DAY_MS)
    await emptyOldLinks(server.deps)
    assert.deepEqual(await read(await server.signIn('ada'), id), [
      ['created', 'ada'],
      ['sent', 'ada'],
      ['rejected', 'sam', 'Page 2 is missing'],
    ])
  })

  test(`10.9 of a round whose beginning is no longer kept the rest is told, and who looked after the decision is not (${engine})`, async (t) => {
    const server = await startTestServer(t, engine, { config: { auditKeepDays: 30 } })
    const id = await sendCollection(await server.signIn('ada'))
    await makeLinks(server.deps)
    server.clock.advance(25 * DAY_MS)
    const sam = await server.signIn('sam', { is_staff: true })
    must(await sam.post(`/admin/${id}/reject/`, { admin_desc: 'Page 2 is missing' }), 200)
    must(await sam.get(`/collections/${id}`), 200)
    await makeLinks(server.deps)
    server.clock.advance(6 * DAY_MS)
    await emptyOldLinks(server.deps)
    const ada = await server.signIn('ada')
    must(await ada.post(`/collections/${id}/save/`), 200)
    assert.deepEqual(await read(ada, id), [
      ['created', 'ada'],
      ['rejected', 'sam', 'Page 2 is missing'],
      ['sent_again', 'ada'],
    ])
  })
}
