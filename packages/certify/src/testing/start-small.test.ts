import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { startSmall } from './start-small.ts'

const run = (line: string, timeoutMs = 60_000) =>
  startSmall({ file: 'sh', args: ['-c', line], timeoutMs, maxBytes: 1 << 20 })

test('a program that a small process starts tells its exit code and all that it said, of several each its own', async () => {
  const said = await Promise.all([1, 2, 3].map((n) => run(`printf 'out\\000${n}'; printf 'wrong ${n}' >&2; exit ${n}`)))
  assert.deepEqual(
    said.map(({ code, output, errors }) => [code, Buffer.from(output).toString(), Buffer.from(errors).toString()]),
    [1, 2, 3].map((n) => [n, `out\0${n}`, `wrong ${n}`]),
  )
})

test('it has the settings and the folder that the test has when it asks', async (t) => {
  process.env['PROOFDESK_ASKED'] = 'now'
  t.after(() => delete process.env['PROOFDESK_ASKED'])
  const { output } = await run('printf "$PROOFDESK_ASKED $PWD"')
  assert.equal(Buffer.from(output).toString(), `now ${process.cwd()}`)
})

test('a program that takes too long, says too much or is not there ends as none that did', async () => {
  const missing = startSmall({ file: '/nowhere/judge', args: [], timeoutMs: 60_000, maxBytes: 1 })
  const ends = await Promise.all([run('exec sleep 60', 50), run('yes | head -c 2000000'), missing])
  assert.deepEqual(
    ends.map(({ code }) => code),
    [-1, -1, -1],
  )
})

test('what starts programs keeps no process from ending, and none from being waited for', () => {
  const module = JSON.stringify(new URL('start-small.ts', import.meta.url).href)
  const program = `import { startSmall } from ${module}
    const { output } = await startSmall({ file: 'sh', args: ['-c', 'sleep 0.2; echo done'], timeoutMs: 60_000, maxBytes: 100 })
    process.stdout.write(output)`
  const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    encoding: 'utf8',
    timeout: 60_000,
  })
  assert.deepEqual({ status, stdout }, { status: 0, stdout: 'done\n' })
})
