import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { after, before } from 'node:test'
import { promisify } from 'node:util'
import { ensureIssuingKeys } from '../sealing/issuing-keys.ts'
import { openCertifyPool } from '../pool.ts'
import { makePdf } from '../testing.ts'
import { openDesk } from './desk.ts'

let folder: string
let keysDir: string
let original: string

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'certify-desk-'))
  keysDir = join(folder, 'keys')
  original = join(folder, 'original')
  await mkdir(keysDir)
  await ensureIssuingKeys({ dir: keysDir, organisation: 'Notariat' })
  await writeFile(original, makePdf())
})
after(() => rm(folder, { recursive: true, force: true }))

/** What code in a process of this desk is told when it tries each of these. */
async function attempt(permissions: readonly string[], attempts: Record<string, string>): Promise<object> {
  const program = `
    const fs = require('node:fs')
    const told = {}
    for (const [name, code] of Object.entries(${JSON.stringify(attempts)})) {
      try { eval(code); told[name] = 'done' } catch (error) { told[name] = error.code }
    }
    console.log(JSON.stringify(told))`
  const { stdout } = await promisify(execFile)(process.execPath, [...permissions, '-e', program])
  return JSON.parse(stdout) as object
}

test('A parsing process reads its own originals and the program, and neither keys nor originals of others', async () => {
  const desk = openDesk(folder)
  const placed = await desk.place({ kind: 'inspect', path: original, limits: { maxPages: 1 } })
  assert.ok(placed.kind === 'inspect')
  const [key = ''] = await readdir(keysDir)
  const told = await attempt(desk.permissions, {
    original: `fs.readFileSync(${JSON.stringify(placed.path)})`,
    program: `fs.readFileSync(${JSON.stringify(import.meta.filename)})`,
    key: `fs.readFileSync(${JSON.stringify(join(keysDir, key))})`,
    keys: `fs.readdirSync(${JSON.stringify(keysDir)})`,
    other: `fs.readFileSync(${JSON.stringify(original)})`,
    system: `fs.readFileSync('/etc/passwd')`,
    link: `fs.symlinkSync(${JSON.stringify(join(keysDir, key))}, ${JSON.stringify(join(placed.path, '../../out/key'))})`,
  })
  const denied = 'ERR_ACCESS_DENIED'
  assert.deepEqual(told, {
    original: 'done',
    program: 'done',
    key: denied,
    keys: denied,
    other: denied,
    system: denied,
    link: denied,
  })
  await desk.remove()
})

test('A parsing process writes only what it builds, not into the originals, and starts no program', async () => {
  const desk = openDesk(folder)
  const placed = await desk.place({ kind: 'inspect', path: original, limits: { maxPages: 1 } })
  assert.ok(placed.kind === 'inspect')
  const stored = await readFile(original)
  const told = await attempt(desk.permissions, {
    built: `fs.writeFileSync(${JSON.stringify(join(placed.path, '../../out/built'))}, 'x')`,
    original: `fs.appendFileSync(${JSON.stringify(placed.path)}, 'x')`,
    removed: `fs.rmSync(${JSON.stringify(placed.path)})`,
    program: `fs.writeFileSync(${JSON.stringify(`${import.meta.filename}.new`)}, 'x')`,
    started: `require('node:child_process').spawnSync('true')`,
  })
  const denied = 'ERR_ACCESS_DENIED'
  assert.deepEqual(told, { built: 'done', original: denied, removed: denied, program: denied, started: denied })
  assert.deepEqual(await readFile(original), stored)
  await desk.remove()
  assert.ok(existsSync(original), 'only the link to it is gone')
})

test('What was compiled before reaches a process as a copy of its own, which is gone after its first job', async () => {
  const compiled = join(folder, 'compiled')
  await mkdir(compiled)
  await writeFile(join(compiled, 'code'), 'as it was')
  const desk = openDesk(join(folder, 'compiling'), compiled)
  assert.ok(desk.compiled !== undefined)
  await desk.place({ kind: 'inspect', path: original, limits: { maxPages: 1 } })
  const told = await attempt(desk.permissions, {
    own: `fs.appendFileSync(${JSON.stringify(join(desk.compiled, 'code'))}, ', and more')`,
    others: `fs.appendFileSync(${JSON.stringify(join(compiled, 'code'))}, ', and more')`,
  })
  assert.deepEqual(told, { own: 'done', others: 'ERR_ACCESS_DENIED' })
  assert.equal(await readFile(join(compiled, 'code'), 'utf8'), 'as it was')
  await desk.clear()
  assert.equal(existsSync(desk.compiled), false)
  await desk.remove()
})

test('Where nothing was compiled, or it cannot be copied, a process starts all the same', async () => {
  const desk = openDesk(join(folder, 'compiling'), join(folder, 'never-compiled'))
  assert.equal(desk.compiled, undefined)
  await desk.remove()
})

test('The processes of a pool run under these rules, and leave nothing at their desks', async (t) => {
  const pool = openCertifyPool({ keysDir, workDir: join(folder, 'work'), threads: 1 })
  t.after(() => pool.close())
  assert.equal((await pool.inspect(original, { maxPages: 1 })).ok, true)
  // the link to it is gone before the answer comes: whoever removes the file gets its room back
  assert.equal((await stat(original)).nlink, 1)
  const left = await readdir(join(folder, 'work'), { recursive: true, withFileTypes: true })
  assert.deepEqual(
    left.filter((entry) => entry.isFile()),
    [],
  )
  const [id] = pool.processIds()
  if (existsSync(`/proc/${id}/cmdline`)) {
    const flags = (await readFile(`/proc/${id}/cmdline`, 'utf8')).split('\0')
    assert.ok(flags.includes('--permission'))
    const granted = flags.filter((flag) => flag.startsWith('--allow-fs'))
    assert.ok(granted.length > 2)
    for (const flag of granted) {
      const path = flag.slice(flag.indexOf('=') + 1).replace(/\*$/, '')
      assert.ok(!keysDir.startsWith(path) && !original.startsWith(path), flag)
    }
  }
  await pool.close()
  assert.deepEqual(await readdir(join(folder, 'work')), [])
})

test('What is built reaches its place also when that is on another disk than the desk', async (t) => {
  const { dev } = await stat(folder)
  const far = ['/dev/shm', '/var/tmp'].find((path) => existsSync(path) && statSync(path).dev !== dev)
  if (far === undefined) {
    t.skip('no second disk')
    return
  }
  const target = await mkdtemp(join(far, 'certify-desk-'))
  t.after(() => rm(target, { recursive: true, force: true }))
  const desk = openDesk(folder)
  const outPath = join(target, 'built')
  const job = { kind: 'prepare', request: { documents: [], title: '', outPath, maxPages: 1 } } as const
  const placed = await desk.place({ ...job, request: { ...job.request, documents: [] } })
  assert.ok(placed.kind === 'prepare')
  await writeFile(placed.request.outPath, 'a certified PDF')
  await desk.collect({ ...job, request: { ...job.request, documents: [] } })
  assert.equal(await readFile(outPath, 'utf8'), 'a certified PDF')
  await desk.remove()
})
