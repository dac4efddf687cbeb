import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { API_BASE } from '@proofdesk/contract/route'
import { makePdf } from '../testing/small-files.ts'
import { ADMIN, root, run, start, type Settings } from '../testing/server-process.ts'
import { hasRealPostgres, makeRealDatabase } from '../testing/real-postgres.ts'
import { waitUntil } from '../testing/wait-until.ts'

const needsPostgres = { skip: !hasRealPostgres && 'PostgreSQL is not installed', timeout: 180_000 }
const PASSWORD = 'Secret1!'

type Node = Awaited<ReturnType<typeof start>>

/** A call at one node. @param token Of whoever makes it. */
async function call(node: Node, method: string, path: string, { token, body }: { token?: string; body?: object } = {}) {
  const isForm = body instanceof FormData
  const answer = await fetch(`${node.url}${API_BASE}${path}`, {
    method,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body && !isForm && { 'content-type': 'application/json' }),
    },
    ...(body && { body: isForm ? body : JSON.stringify(body) }),
  })
  return { status: answer.status, json: JSON.parse((await answer.text()) || 'null') }
}

async function signIn(node: Node, username: string): Promise<string> {
  const { status, json } = await call(node, 'POST', '/auth/login/', { body: { username, password: PASSWORD } })
  assert.equal(status, 200, JSON.stringify(json))
  return json.access
}

/** Opened at one node, filled at the next, sent at the third. @returns its id. */
async function send(nodes: readonly Node[], token: string): Promise<number> {
  const made = await call(nodes[0]!, 'POST', '/collections/', { token, body: { title: 'Degree' } })
  assert.equal(made.status, 201, JSON.stringify(made.json))
  const form = new FormData()
  form.set('collection', String(made.json.id))
  form.set('title_type', 'TYPE1')
  form.set('file', new Blob([new Uint8Array(makePdf())], { type: 'application/pdf' }), 'degree.pdf')
  const added = await call(nodes[1 % nodes.length]!, 'POST', '/contents/', { token, body: form })
  assert.equal(added.status, 201, JSON.stringify(added.json))
  const sent = await call(nodes[2 % nodes.length]!, 'POST', `/collections/${made.json.id}/save/`, { token })
  assert.equal(sent.status, 200, JSON.stringify(sent.json))
  return made.json.id
}

test('three nodes are one Proofdesk (postgres)', needsPostgres, async (t) => {
  const real = await makeRealDatabase('empty')
  const settings: Settings = { DATA_DIR: join(root, 'shared'), DATABASE_URL: real.url, MIN_FREE_MB: '0' }
  const nodes: Node[] = []
  t.after(async () => {
    for (const { child, ended } of nodes) {
      child.kill('SIGCONT')
      child.kill('SIGKILL')
      await ended
    }
    await real.drop()
  })

  await t.test('21.4 nodes that start at once on nothing make one installation', async () => {
    nodes.push(...(await Promise.all([start(settings), start(settings), start(settings)])))
    // It is said a little after a node is ready.
    const findLink = ({ out }: Node) => /\/setup\/([\w-]{43})$/m.exec(out())?.[1]
    const links = await Promise.all(nodes.map((node) => waitUntil(() => findLink(node))))
    assert.equal(new Set(links).size, 3)
    const setUp = (n: number) =>
      call(nodes[n]!, 'POST', '/auth/setup/', {
        body: { token: links[0], username: 'sofia', email: 'sofia@example.org', password: PASSWORD },
      })
    const answers = await Promise.all([setUp(0), setUp(1), setUp(2)])
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((a, b) => a - b),
      [201, 400, 400],
    )
    const roots = await Promise.all(nodes.map(async ({ url }) => (await fetch(`${url}/log/policy`)).text()))
    assert.equal(new Set(roots).size, 1)
  })

  for (const [username, role] of [
    ['ada', 'user'],
    ['sam', 'staff'],
  ] as const) {
    const made = run(
      ADMIN,
      [
        'create-user',
        '--username',
        username,
        '--email',
        `${username}@example.org`,
        '--password',
        PASSWORD,
        '--role',
        role,
        '--verified',
      ],
      settings,
    )
    assert.equal(await made.ended, 0, await made.errors)
  }
  const [ada, sam] = [await signIn(nodes[0]!, 'ada'), await signIn(nodes[1]!, 'sam')]

  await t.test('21.9 what happens at one node is seen at once by who looks at another', async () => {
    const stream = await fetch(`${nodes[2]!.url}${API_BASE}/events/`, { headers: { authorization: `Bearer ${sam}` } })
    const events = stream.body!.pipeThrough(new TextDecoderStream()).getReader()
    await events.read()
    const id = await send(nodes, ada)
    let told = ''
    await waitUntil(async () => {
      told += (await events.read()).value ?? ''
      return told.includes('collections')
    })
    await events.cancel()
    for (const node of nodes)
      assert.equal((await call(node, 'GET', `/collections/${id}/`, { token: sam })).json.is_locked, true)
  })

  await t.test('21.5 a flood of wrong passwords at all nodes is one flood', async () => {
    const attempts = await Promise.all(
      Array.from({ length: 45 }, (_, n) =>
        call(nodes[n % 3]!, 'POST', '/auth/login/', { body: { username: 'ada', password: `Wrong${n}!` } }),
      ),
    )
    assert.equal(attempts.filter(({ status }) => status === 400).length, 10)
    assert.equal(attempts.filter(({ status }) => status === 429).length, 35)
    assert.equal(
      (await call(nodes[0]!, 'POST', '/auth/login/', { body: { username: 'ada', password: PASSWORD } })).status,
      429,
    )
  })

  await t.test('21.8 a node that is killed or stopped loses nothing that was acknowledged', async () => {
    const ids: number[] = []
    for (let n = 0; n < 6; n++) ids.push(await send(nodes, ada))
    const approved = new Set<number>()
    const approve = async (node: Node, id: number) => {
      // On a busy machine sealing takes longer than a call waits: 202, and who asks again learns how it ended.
      for (let status: number | undefined = 202; status === 202;) {
        const body = { admin_desc: 'Fine' }
        const answer = await call(node, 'POST', `/admin/${id}/approve/`, { token: sam, body }).catch(() => undefined)
        status = answer?.status
        if (status === 200) approved.add(id)
      }
    }
    const deciding = ids.map((id, n) => approve(nodes[n % 3]!, id))
    await waitUntil(() => approved.size > 0)
    nodes[0]!.child.kill('SIGKILL')
    nodes[1]!.child.kill('SIGSTOP')
    const alive = nodes[2]!
    await Promise.all(deciding.filter((_, n) => n % 3 !== 1))
    nodes[1]!.child.kill('SIGCONT')
    await Promise.all(deciding)
    const read = async (id: number) => (await call(alive, 'GET', `/collections/${id}/`, { token: sam })).json
    for (const id of approved) assert.notEqual((await read(id)).proofid, null, 'what was acknowledged is kept')
    // Whoever lost their answer looks, and asks again, at a node that lives.
    const collections = await waitUntil(async () => {
      for (const id of ids) if ((await read(id)).proofid === null) await approve(alive, id)
      const now = await Promise.all(ids.map(read))
      return now.every(({ proofid }) => proofid !== null) && now
    })
    assert.ok(approved.size > 0)
    assert.equal(new Set(collections.map(({ proofid }) => proofid)).size, 6)
    for (const { proofid } of collections) {
      const body = { proofid, username: 'ada' }
      const [here, there] = await Promise.all(
        [alive, nodes[1]!].map((node) => call(node, 'POST', '/service-content-servers/details/', { body })),
      )
      assert.equal(here?.status, 200, JSON.stringify(here?.json))
      assert.deepEqual(here?.json, there?.json)
    }
    nodes.push(await start(settings))
    const check = run(ADMIN, ['check'], settings)
    assert.equal(await check.ended, 0, `${check.out()}${await check.errors}`)
  })
})
