import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import type { Crowd } from '../traffic/client.ts'
import { ask } from '../traffic/ask.ts'
import { findToken } from '../traffic/people.ts'
import type { Target } from '../traffic/targets.ts'

const VERIFIER = join(import.meta.dirname, '../../../../../verifier/src/cli/main.ts')
const FILES_AT_ONCE = 100
/** Pages of revocations are made every few seconds. */
const PATIENCE_MS = 60_000

/** Has every certified PDF judged by the program that strangers have. @returns how many there are, and what is wrong. */
export async function askVerifier(crowd: Crowd, folder: string): Promise<{ files: number; wrong: string[] }> {
  const into = join(folder, 'certified')
  await mkdir(into, { recursive: true })
  const published = [...crowd.targets.all.values()].filter(({ phase }) => phase === 'published')
  const wrong: string[] = []
  for (const target of published) {
    const told = await save(crowd, target, into)
    if (told !== undefined) wrong.push(told)
  }
  const policy = join(into, 'policy.json')
  const answer = await fetch(`${crowd.nodes[0]!.url}/log/instance-policy`)
  await writeFile(policy, new Uint8Array(await answer.arrayBuffer()))
  for (let at = 0; at < published.length; at += FILES_AT_ONCE)
    wrong.push(...(await judge(published.slice(at, at + FILES_AT_ONCE), into, policy)))
  return { files: published.length, wrong }
}

/** As a reviewer has it, to whom revoked ones are shown as well. */
async function save(crowd: Crowd, { id, proofId = '' }: Target, into: string): Promise<string | undefined> {
  const staff = crowd.people.find(({ role }) => role === 'staff')!
  const token = await findToken(staff, crowd.nodes, crowd.random, () => false)
  const path = `/content-servers/serve/?collection_proofid=${proofId}`
  const reply = await ask(crowd.random.pick(crowd.nodes).url, { method: 'GET', path, token })
  if (reply?.status !== 200) return `the certified PDF of collection ${id}: ${reply?.status} ${reply?.code}`
  await writeFile(join(into, `${id}.pdf`), reply.bytes)
  return undefined
}

async function judge(targets: readonly Target[], into: string, policy: string): Promise<string[]> {
  for (const end = performance.now() + PATIENCE_MS; ; await pause(1000)) {
    const files = targets.map(({ id }) => `${id}.pdf`)
    const child = spawn(process.execPath, [VERIFIER, ...files, '--policy', policy, '--online', '--json'], { cwd: into })
    const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
    const verdicts = new Map(
      out
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as { file: string; verdict: string })
        .map(({ file, verdict }) => [file, verdict]),
    )
    const wrong = targets
      .map(({ id, isRevoked }) => ({ id, meant: isRevoked ? 'revoked' : 'valid', told: verdicts.get(`${id}.pdf`) }))
      .filter(({ meant, told }) => meant !== told)
      .map(
        ({ id, meant, told }) =>
          `the certified PDF of collection ${id} is ${meant}, and the verifier says ${told} ${errors}`,
      )
    if (wrong.length === 0 || performance.now() > end) return wrong
  }
}
