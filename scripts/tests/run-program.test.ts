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

const run = (code: string, limitMs: number) =>
  runProgram(process.execPath, ['-e', code], { cwd: process.cwd(), env: process.env, limitMs })

test('a program over its limit is stopped with everything it started', async (t) => {
  const { code, readPid } = makeProgram(t, 'setInterval(() => {}, 1000)')
  const { timedOut, exitCode, seconds } = await run(code, 1_500)
  assert.deepEqual({ timedOut, exitCode }, { timedOut: true, exitCode: null })
  assert.ok(seconds < 10)
  await sleep(200)
  assert.equal(isRunning(readPid()), false)
})

test('what a program leaves running behind it is ended', async (t) => {
  const { code, readPid } = makeProgram(t, 'process.exit(4)')
  const { timedOut, exitCode } = await run(code, 10_000)
  assert.deepEqual({ timedOut, exitCode }, { timedOut: false, exitCode: 4 })
  await sleep(200)
  assert.equal(isRunning(readPid()), false)
})
