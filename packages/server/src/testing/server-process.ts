import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { BARE_ENVIRONMENT } from './bare-environment.ts'
import { findProgram } from './find-program.ts'
import { findFreePort } from './free-ports.ts'

export const MAIN = findProgram('start/main.ts')
/** For who looks at the modules that it loads. */
export const MAIN_SOURCE = join(import.meta.dirname, '../start/main.ts')
export const ADMIN = findProgram('admin/main.ts')

/** Of this test file; goes with it. */
export const root = await mkdtemp(join(tmpdir(), 'proofdesk-processes-'))
const children = new Set<ChildProcess>()
after(async () => {
  for (const child of children) child.kill('SIGKILL')
  await rm(root, { recursive: true, force: true })
})

export type Settings = Record<string, string>

/**
 * Runs a program of the product with these settings and no others; it ends with the test file.
 * @param program Node, or what watches it.
 */
export function run(
  script: string,
  args: string[],
  settings: Settings,
  program: readonly string[] = [process.execPath],
) {
  const [command = '', ...words] = program
  const child = spawn(command, [...words, script, ...args], { env: { ...BARE_ENVIRONMENT, ...settings }, cwd: root })
  children.add(child)
  const out: string[] = []
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk.toString()))
  const errors = text(child.stderr)
  const ended = once(child, 'exit').then(([code]) => {
    children.delete(child)
    return code as number | null
  })
  return { child, out: () => out.join(''), errors, ended }
}

/** Starts a server and waits until it says that it is ready. */
export async function start(settings: Settings, program?: readonly string[], script = MAIN) {
  const port = await findFreePort()
  const server = run(script, [], { PORT: String(port), LOG_LEVEL: 'warn', ...settings }, program)
  const url = `http://127.0.0.1:${port}`
  const begin = performance.now()
  while (!server.out().includes('is ready')) {
    if (server.child.exitCode !== null) throw new Error(`the server ended: ${await server.errors}`)
    if (performance.now() - begin > 30_000) throw new Error('the server does not start')
    await pause(20)
  }
  await pause(50)
  return { ...server, url, port }
}
