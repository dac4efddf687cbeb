import assert from 'node:assert/strict'
import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { toHex } from '@proofdesk/proof/bytes'
import { formatCheckpoint, parseCheckpoint } from '@proofdesk/proof/log/checkpoint'
import { computeKeyId, formatVerifierKey, openNote, parseVerifierKey, signNote } from '@proofdesk/proof/log/note'
import { appendLeaves, proveConsistency, type ReadTile } from '@proofdesk/proof/log/tiles'
import { hashLeaf } from '@proofdesk/proof/log/tree'
import { formatAddCheckpoint, parseAddCheckpointAnswer } from '@proofdesk/proof/log/witness'
import { keepWitnessKey } from '../../log/keep-witness-key.ts'
import { findWitnessedHead, keepWitnessedHead } from '../../log/witness-guard.ts'
import { ENGINES, startTestServer, type TestEngine, type TestServer } from '../../testing.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** What another witness was asked and answered: data that is kept beside the project, not in it. */
interface Vectors {
  witness_conversation: {
    log: { origin: string; ed25519_pub_hex: string }
    steps: { request: string; status: number; spec_v1_0_0_status?: number; body_equals?: string }[]
  }
}

function readVectors(): Vectors | undefined {
  const root = join(import.meta.dirname, '../../../../..')
  const file = ['..', '../..'].map((above) => join(root, above, 'shared/vectors/tlog-vectors.json')).find(existsSync)
  return file === undefined ? undefined : (JSON.parse(readFileSync(file, 'utf8')) as Vectors)
}

interface TestLog {
  verifierKey: string
  fork(): TestLog
  contradict(oldSize: number, byte: number): Promise<string>
  grow(by: number, oldSize: number, kind?: string): Promise<string>
}

/** A log that asks to be witnessed. */
function makeLog(name: string, { publicKey, privateKey } = generateKeyPairSync('ed25519')): TestLog {
  const raw = new Uint8Array(Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url'))
  const signer = {
    name,
    keyId: computeKeyId(name, raw),
    sign: async (message: Bytes) => new Uint8Array(sign(null, message, privateKey)),
  }
  const tiles = new Map<string, Bytes>()
  const readTile: ReadTile = async (level, index, width) => tiles.get(`${level}/${index}`)!.slice(0, width * 32)
  let size = 0
  return {
    /** The same log with a history of its own from here. */
    fork: () => makeLog(name, { publicKey, privateKey }),
    verifierKey: formatVerifierKey(name, raw),
    /** The body of a request with another tree of that size. */
    async contradict(oldSize: number, byte: number): Promise<string> {
      const head = formatCheckpoint({ origin: name, size: oldSize, root: new Uint8Array(32).fill(byte) })
      return formatAddCheckpoint({ oldSize, path: [], note: await signNote(head, [signer]) })
    },
    /** The body of a request with a tree that has this many entries more. */
    async grow(by: number, oldSize: number, kind = 'entry'): Promise<string> {
      const leaves = Array.from({ length: by }, (_, n) => hashLeaf(new TextEncoder().encode(`${kind} ${size + n}`)))
      const tree = await appendLeaves(size, leaves, readTile)
      for (const { level, index, data } of tree.tiles) tiles.set(`${level}/${index}`, data)
      size = tree.size
      const note = await signNote(formatCheckpoint({ origin: name, size, root: tree.root }), [signer])
      const path = oldSize > 0 && oldSize < size ? await proveConsistency(oldSize, size, readTile) : []
      return formatAddCheckpoint({ oldSize, path, note })
    },
  }
}

/** What a request hands in. */
const readNote = (body: string) => body.slice(body.indexOf('\n\n') + 2)

/** Sizes of the heads that are kept beside the key. */
async function listKept({ config }: TestServer): Promise<number[]> {
  return (await readdir(config.keysDir))
    .flatMap((name) => /^witness\.head\.\w+\.(\d+)$/.exec(name)?.[1] ?? [])
    .map(Number)
}

async function ask(server: TestServer, payload: string | Buffer) {
  const answer = await server.inject({ method: 'POST', url: '/log/witness/add-checkpoint', payload })
  return { status: answer.statusCode, body: answer.body, type: answer.headers['content-type'] }
}

const startWitness = (t: Parameters<typeof startTestServer>[0], engine: TestEngine, ...witnessedLogs: string[]) =>
  startTestServer(t, engine, { config: { witnessedLogs } })

async function describeWitness(server: TestServer) {
  return (await server.inject('/log/witness')).json() as {
    verifier_key: string
    logs: { origin: string; size: number; note: string | null; contradiction: string | null }[]
  }
}

for (const engine of ENGINES) {
  test(`14.70 a recorded conversation with another witness goes the same way (${engine})`, async (t) => {
    const vectors = readVectors()
    if (!vectors) return t.skip('shared/vectors/tlog-vectors.json is not beside the project')
    const { log, steps } = vectors.witness_conversation
    const publicKey = new Uint8Array(Buffer.from(log.ed25519_pub_hex, 'hex'))
    const server = await startWitness(t, engine, formatVerifierKey(log.origin, publicKey))
    const { verifier_key } = await describeWitness(server)
    for (const { request, status, spec_v1_0_0_status, body_equals } of steps) {
      const answer = await ask(server, request)
      assert.equal(answer.status, spec_v1_0_0_status ?? status)
      if (answer.status === 409) assert.deepEqual([answer.body, answer.type], [body_equals, 'text/x.tlog.size'])
      if (answer.status !== 200) continue
      const text = request.slice(request.indexOf('\n\n') + 2).split('\n\n')[0]
      await openNote(`${text}\n\n${answer.body}`, [parseVerifierKey(verifier_key)])
    }
    assert.equal((await describeWitness(server)).logs[0]?.size, 5)
  })

  describe(`a witness of other logs (${engine})`, () => {
    test('14.71 a witness signs what continues the head it signed last, under a key of its own, with its time', async (t) => {
      const log = makeLog('log.example/a')
      const server = await startWitness(t, engine, log.verifierKey)
      const first = await log.grow(3, 0)
      const { status, body } = await ask(server, first)
      assert.equal(status, 200)
      const [line] = parseAddCheckpointAnswer(body)
      const { verifier_key } = await describeWitness(server)
      assert.equal(line?.name, `${server.deps.log.origin}/witness`)
      const note = `${first.slice(first.indexOf('\n\n') + 2).split('\n\n')[0]}\n\n${body}`
      const { signatures } = await openNote(note, [parseVerifierKey(verifier_key)])
      assert.ok(Math.abs((signatures[0]?.time ?? 0) - server.clock.now() / 1000) < 60)
      const keyOf = async (file: string) =>
        createPublicKey(createPrivateKey(await readFile(join(server.config.keysDir, file)))).export({ format: 'jwk' }).x
      assert.notEqual(await keyOf('witness.key.pem'), await keyOf('log.key.pem'))
      // The key stays what it was.
      await server.restart()
      assert.equal((await describeWitness(server)).verifier_key, verifier_key)
      assert.equal((await ask(server, await log.grow(300, 3))).status, 200)
      assert.deepEqual(await ask(server, first), { status: 409, body: '303\n', type: 'text/x.tlog.size' })
      assert.equal((await describeWitness(server)).logs[0]?.size, 303)
    })

    test('14.72 of two heads that are handed in at once one is signed, and never two of one size', async (t) => {
      const log = makeLog('log.example/a')
      const server = await startWitness(t, engine, log.verifierKey)
      assert.equal((await ask(server, await log.grow(3, 0))).status, 200)
      const bodies = [await log.grow(1, 3), await log.grow(1, 3), await log.grow(1, 3), await log.grow(1, 3)]
      const answers = await Promise.all(bodies.map((body) => ask(server, body)))
      const signed = answers.filter(({ status }) => status === 200)
      assert.equal(signed.length, 1)
      assert.ok(answers.every(({ status }) => status === 200 || status === 409))
      const { logs } = await describeWitness(server)
      const size = 4 + answers.findIndex(({ status }) => status === 200)
      assert.equal(logs[0]?.size, size)
      for (const { status, body } of answers) if (status === 409) assert.equal(body, `${size}\n`)
      // Also the first two of a log that nobody knew.
      const other = makeLog('log.example/b')
      server.config.witnessedLogs = [log.verifierKey, other.verifierKey]
      await server.restart()
      const firsts = [await other.grow(2, 0), await other.grow(2, 0)]
      const statuses = (await Promise.all(firsts.map((body) => ask(server, body)))).map(({ status }) => status)
      assert.deepEqual(new Set(statuses), new Set([200, 409]))
    })

    test('14.73 a log that signs another tree of a size that was signed is refused, and both heads are kept for anybody to read', async (t) => {
      const log = makeLog('log.example/a')
      const server = await startWitness(t, engine, log.verifierKey)
      const asked = [await log.grow(3, 0), await log.grow(2, 3)]
      for (const body of asked) assert.equal((await ask(server, body)).status, 200)
      // A way that leads nowhere is no evidence: anybody can send it.
      const grown = await log.grow(1, 5)
      const lines = grown.split('\n')
      const wrong = [lines[0], Buffer.alloc(32).toString('base64'), ...lines.slice(2)].join('\n')
      assert.equal((await ask(server, wrong)).status, 422)
      assert.equal((await describeWitness(server)).logs[0]?.contradiction, null)
      for (const byte of [1, 2]) assert.equal((await ask(server, await log.contradict(5, byte))).status, 409)
      const [kept] = (await describeWitness(server)).logs
      const heads = kept!.contradiction!.split(/\n(?=log\.example)/)
      const signed = await Promise.all(heads.map((head) => openNote(head, [parseVerifierKey(log.verifierKey)])))
      const roots = signed.map(({ text }) => parseCheckpoint(text)).map(({ size, root }) => [size, toHex(root)])
      assert.deepEqual([roots[0]?.[0], roots[1]], [5, [5, '01'.repeat(32)]])
      assert.notEqual(roots[0]?.[1], roots[1]?.[1])
      // The evidence outlives that the log goes on.
      assert.equal((await ask(server, grown)).status, 200)
      assert.equal((await describeWitness(server)).logs[0]?.contradiction, kept?.contradiction)
    })

    test('14.78 a witness whose database was put back signs no other history than it has signed', async (t) => {
      const log = makeLog('log.example/a')
      const fork = log.fork()
      const server = await startWitness(t, engine, log.verifierKey)
      assert.equal((await ask(server, await log.grow(3, 0))).status, 200)
      await fork.grow(3, 0)
      const saved = await server.deps.db.selectFrom('witness_state').selectAll().execute()
      assert.equal((await ask(server, await log.grow(2, 3))).status, 200)
      const forked = [await fork.grow(2, 3, 'other'), await fork.grow(1, 3, 'other')]
      const putBack = async (rows: typeof saved) => {
        const { db } = server.deps
        await db.deleteFrom('witness_state').execute()
        if (rows.length > 0) await db.insertInto('witness_state').values(rows).execute()
      }
      for (const rows of [saved, []])
        for (const isStopped of [false, true]) {
          await putBack(rows)
          if (isStopped) await server.restart()
          for (const body of forked)
            assert.deepEqual(await ask(server, body), { status: 409, body: '5\n', type: 'text/x.tlog.size' })
          const { size, contradiction } = (await describeWitness(server)).logs[0] ?? {}
          assert.equal(size, 5)
          assert.ok(contradiction?.includes('\n5\n'))
        }
      await putBack(saved)
      assert.equal((await ask(server, await log.grow(4, 5))).status, 200)
      assert.deepEqual(await listKept(server), [9])
    })

    test('14.78 … and processes that share the folder of keys never lead one another back', async (t) => {
      const log = makeLog('log.example/a')
      const server = await startWitness(t, engine, log.verifierKey)
      const { keysDir } = server.config
      const notes: string[] = []
      for (let size = 0; size < 8; size++) notes.push(readNote(await log.grow(1, size)))
      const kept = await Promise.all(notes.map((note) => keepWitnessedHead(keysDir, { note, cosigned_at: 1 })))
      assert.equal(kept.at(-1), true)
      assert.deepEqual(await listKept(server), [8])
      assert.equal(await keepWitnessedHead(keysDir, { note: notes[2]!, cosigned_at: 1 }), false)
      assert.equal(
        await keepWitnessedHead(keysDir, { note: readNote(await log.contradict(8, 1)), cosigned_at: 1 }),
        false,
      )
      assert.equal(await keepWitnessedHead(keysDir, { note: notes[7]!, cosigned_at: 2 }), true)
      assert.equal((await findWitnessedHead(keysDir, 'log.example/a'))?.size, 8)
      assert.equal(await findWitnessedHead(keysDir, 'log.example/b'), undefined)
    })
  })
}

test('14.73 … whoever sends the forged head, and only with a signature of the log', async (t) => {
  const log = makeLog('log.example/a')
  const server = await startWitness(t, 'sqlite', log.verifierKey)
  const stranger = makeLog('log.example/a')
  assert.equal((await ask(server, await log.grow(3, 0))).status, 200)
  const forged = (await stranger.grow(3, 0, 'forged')).replace('old 0', 'old 3')
  assert.equal((await ask(server, forged)).status, 403)
  assert.equal((await describeWitness(server)).logs[0]?.contradiction, null)
})

test('14.74 requests of another form are refused, and so is what is too large or too often', async (t) => {
  const log = makeLog('log.example/a')
  const server = await startWitness(t, 'sqlite', log.verifierKey)
  const body = await log.grow(3, 0)
  for (const wrong of ['', 'old 0\n', body.replace('old 0', 'old x'), body.replace('old 0', 'old 9'), `{"old":0}`])
    assert.equal((await ask(server, wrong)).status, 400, wrong)
  assert.equal((await ask(server, Buffer.from([0xff, 0xfe, 0x00]))).status, 400)
  assert.equal((await ask(server, 'x'.repeat(70_000))).status, 413)
  assert.equal((await ask(server, await makeLog('log.example/unknown').grow(1, 0))).status, 404)
  assert.equal((await ask(server, await makeLog('log.example/a').grow(1, 0))).status, 403)
  for (let n = 0; n < 3000; n++) if ((await ask(server, '')).status === 429) break
  assert.equal((await ask(server, body)).status, 429)
})

test('14.75 an installation that names no logs is no witness, and has no key for it', async (t) => {
  const server = await startTestServer(t)
  assert.equal((await server.inject('/log/witness')).statusCode, 404)
  assert.equal((await ask(server, await makeLog('log.example/a').grow(3, 0))).status, 404)
  await assert.rejects(readFile(join(server.config.keysDir, 'witness.key.pem')), { code: 'ENOENT' })
})

test('14.76 without the key that it began to witness with, or with itself as witness, a server does not start', async (t) => {
  const log = makeLog('log.example/a')
  const server = await startWitness(t, 'sqlite', log.verifierKey)
  const { db } = server.deps
  const { verifier_key } = await describeWitness(server)
  const keep = (more: object) => keepWitnessKey(db, { ...server.config, ...more }, server.deps.log.origin)
  const witnessPolicy = `witness me ${verifier_key} https://proof.example/log/witness\nquorum me\n`
  await assert.rejects(keep({ witnessPolicy }), { name: 'StartFailure', message: /^WITNESS_POLICY names the key/ })
  const path = join(server.config.keysDir, 'witness.key.pem')
  await rm(path)
  await assert.rejects(keep({}), { name: 'StartFailure', message: /^KEYS_DIR lacks the key that this installation/ })
  await assert.rejects(readFile(path), { code: 'ENOENT' })
})
