import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { isRunning } from '../tests/is-running.ts'
import { runChild } from './run.mjs'

const RUN = fileURLToPath(new URL('./run.mjs', import.meta.url))

/** Says each signal it gets, and ends with 7 half a second after the first. */
const COUNTING = `
  let told = false
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {
    console.log(signal)
    if (!told) setTimeout(() => process.exit(7), 500)
    told = true
  })
  setInterval(() => {}, 1000)
  console.log('ready ' + process.pid)
`

/** A launcher in its own process, which runs `script` as its program. */
async function startLauncher(t: TestContext, script: string) {
  const code = `
    import { runChild } from ${JSON.stringify(RUN)}
    process.exitCode = await runChild(process.execPath, ['-e', ${JSON.stringify(script)}])
  `
  const launcher = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  t.after(() => launcher.kill('SIGKILL'))
  const output = collectLines(launcher)
  const pid = Number((await waitForLine(output, /^ready/)).split(' ')[1])
  t.after(() => isRunning(pid) && process.kill(pid, 'SIGKILL'))
  return { launcher, output, pid }
}

function collectLines(launcher: ChildProcess): string[] {
  const lines: string[] = []
  launcher.stdout?.setEncoding('utf8').on('data', (text: string) => lines.push(...text.trim().split('\n')))
  return lines
}

async function waitForLine(lines: string[], pattern: RegExp): Promise<string> {
  for (let tries = 0; tries < 200; tries++) {
    const line = lines.find((text) => pattern.test(text))
    if (line !== undefined) return line
    await sleep(25)
  }
  throw new Error(`no line like ${pattern} in: ${lines.join(' | ')}`)
}

test('the exit code of the program is passed on', async () => {
  assert.equal(await runChild(process.execPath, ['-e', 'process.exit(3)']), 3)
  assert.equal(await runChild(process.execPath, ['-e', 'process.kill(process.pid, "SIGKILL")']), 137)
})

test('a program that is not installed is one clear line', async () => {
  await assert.rejects(runChild('no-such-program', []), /no-such-program cannot be started: it is not installed/)
})

test('Ctrl-C reaches the program once, although the terminal and npm both send it, and it may finish', async (t) => {
  const { launcher, output } = await startLauncher(t, COUNTING)
  assert.ok(launcher.pid)
  process.kill(-launcher.pid, 'SIGINT')
  await sleep(100)
  process.kill(launcher.pid, 'SIGINT')
  const [code] = await once(launcher, 'exit')
  assert.equal(code, 7)
  assert.deepEqual(output.slice(1), ['SIGINT'])
})

test('a termination is passed on', async (t) => {
  const { launcher, output } = await startLauncher(t, COUNTING)
  launcher.kill('SIGTERM')
  const [code] = await once(launcher, 'exit')
  assert.equal(code, 7)
  assert.deepEqual(output.slice(1), ['SIGTERM'])
})

test('a program whose launcher was killed outright is told to end', async (t) => {
  const { launcher, output, pid } = await startLauncher(t, COUNTING)
  launcher.kill('SIGKILL')
  await waitForLine(output, /^SIGTERM$/)
  await sleep(800)
  assert.equal(isRunning(pid), false)
})
