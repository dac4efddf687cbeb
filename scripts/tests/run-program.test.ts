import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { isRunning } from './is-running.ts'
import { runProgram } from './run-program.ts'

/** A program that starts another one, which would run for a minute, notes its pid in a file, and then runs `rest`. */
function makeProgram(t: TestContext, rest: string) {
  const folder = mkdtempSync(join(tmpdir(), 'proofdesk-program-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'pid')
  const code = `
    const child = require('node:child_process').spawn('sleep', ['60'], { stdio: 'ignore' })
    require('node:fs').writeFileSync(${JSON.stringify(file)}, String(child.pid))
    child.unref()
    ${rest}
  `
  return { code, readPid: () => Number(readFileSync(file, 'utf8')) }
}

const run = (code: string, silenceLimitMs: number) =>
  runProgram(process.execPath, ['-e', code], { cwd: process.cwd(), env: process.env, silenceLimitMs })

test('a program that falls silent is stopped with everything it started', async (t) => {
  const { code, readPid } = makeProgram(t, 'setInterval(() => {}, 1000)')
  const { fellSilent, exitCode } = await run(code, 1_500)
  assert.deepEqual({ fellSilent, exitCode }, { fellSilent: true, exitCode: null })
  await sleep(200)
  assert.equal(isRunning(readPid()), false)
})

test('a program that is slow but goes on telling is left alone', async () => {
  const code = 'let n = 0; const t = setInterval(() => { console.log(++n); if (n === 12) clearInterval(t) }, 200)'
  const { fellSilent, exitCode } = await run(code, 1_200)
  assert.deepEqual({ fellSilent, exitCode }, { fellSilent: false, exitCode: 0 })
})

test('what a program leaves running behind it is ended', async (t) => {
  const { code, readPid } = makeProgram(t, 'process.exit(4)')
  const { fellSilent, exitCode } = await run(code, 60_000)
  assert.deepEqual({ fellSilent, exitCode }, { fellSilent: false, exitCode: 4 })
  await sleep(200)
  assert.equal(isRunning(readPid()), false)
})
