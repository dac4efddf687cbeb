import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'

/** A folder that becomes a small disk for one program, and one with room, for each of the tests of a full disk. */
export interface SmallDisk {
  root: string
  /** Runs a program of this folder, which is given both; what it says is its output. */
  run: (program: string, args?: string[], env?: NodeJS.ProcessEnv) => string
}

/** @returns undefined where nobody may mount a disk, and then the test is skipped. */
export async function makeSmallDisk(t: TestContext, size: string): Promise<SmallDisk | undefined> {
  const canMount = spawnSync('unshare', ['--mount', 'sh', '-c', 'mount -t tmpfs tmpfs /mnt']).status === 0
  if (!canMount) {
    assert.notEqual(process.env['CI'], 'true', 'a private mount is possible')
    t.skip('mounting a small disk needs root and unshare')
    return undefined
  }
  const root = await mkdtemp(join(tmpdir(), 'proofdesk-full-'))
  t.after(() => rm(root, { recursive: true, force: true }))
  const [small, roomy] = [join(root, 'small'), join(root, 'roomy')]
  await Promise.all([mkdir(small), mkdir(roomy)])
  // Mounted where nobody but the program sees it, and gone when it ends.
  const mountAndRun = `mount -t tmpfs -o size=${size} tmpfs "$1" && shift && exec "$@"`
  return {
    root,
    run: (program, args = [], env = process.env) => {
      const path = fileURLToPath(new URL(program, import.meta.url))
      const command = [process.execPath, path, small, roomy, ...args]
      const sh = ['--mount', 'sh', '-c', mountAndRun, 'sh', small, ...command]
      const ran = spawnSync('unshare', sh, { encoding: 'utf8', timeout: 120_000, env })
      assert.equal(ran.status, 0, ran.stderr)
      return ran.stdout
    },
  }
}
