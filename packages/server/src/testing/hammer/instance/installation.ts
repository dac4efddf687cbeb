import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { BARE_ENVIRONMENT } from '../../bare-environment.ts'
import { findFreePorts } from '../../free-ports.ts'
import { findPostgresPrograms, startPrivatePostgres, type PrivatePostgres } from '../../private-postgres.ts'
import { startS3Proxy, type S3Proxy } from '../../s3-proxy.ts'
import { hasS3Programs } from '../../private-s3.ts'
import { makeTestBucket } from '../../s3.ts'
import { FAKETIME, makeNode, type HammerNode } from './node.ts'

const ADMIN = join(import.meta.dirname, '../../../admin/main.ts')
const NODES = 3

/** Why there can be no hammer on this machine; false where there can. */
export const skipWithoutPrograms =
  findPostgresPrograms() === undefined
    ? 'PostgreSQL is not installed'
    : !hasS3Programs && 'radosgw, ceph-mon, ceph-osd and ceph-common (Debian) are not installed'

/** PostgreSQL, a store for files and three nodes, with nothing before them. */
export interface Installation {
  nodes: HammerNode[]
  postgres: PrivatePostgres
  proxy: S3Proxy
  /** Goes with it. */
  folder: string
  runAdmin(...args: string[]): Promise<{ code: number | null; out: string }>
  end(): Promise<void>
}

/** The last node has a clock of its own, where the machine can have that. */
export async function startInstallation(): Promise<Installation> {
  const ends: (() => Promise<unknown>)[] = []
  const end = async () => {
    for (const next of ends.toReversed()) await next()
    ends.length = 0
  }
  try {
    return { ...(await build(ends)), end }
  } catch (error) {
    await end()
    throw error
  }
}

async function build(ends: (() => Promise<unknown>)[]): Promise<Omit<Installation, 'end'>> {
  const folder = await mkdtemp(join(tmpdir(), 'proofdesk-hammer-'))
  ends.push(() => rm(folder, { recursive: true, force: true }))
  const postgres = await startPrivatePostgres(findPostgresPrograms() ?? '', { commits: 'kept' })
  ends.push(postgres.stop)
  const bucket = await makeTestBucket('desk')
  const proxy = await startS3Proxy({ after: (stop) => ends.push(stop) }, bucket.settings.endpoint ?? '')
  const address = new URL(bucket.environment.STORAGE_URL)
  address.searchParams.set('endpoint', proxy.endpoint)
  const ports = await findFreePorts(NODES)
  const settings = {
    ...bucket.environment,
    STORAGE_URL: address.href,
    DATABASE_URL: postgres.url,
    KEYS_DIR: join(folder, 'keys'),
    PUBLIC_URL: `http://127.0.0.1:${ports[0]}`,
    MIN_FREE_MB: '1',
    MAX_USER_COLLECTIONS: '1000000',
    MAX_USER_MB: '1000000',
  }
  await mkdir(settings.KEYS_DIR, { mode: 0o700 })
  const nodes = ports.map((port, index) =>
    makeNode({
      name: String(index + 1),
      port,
      dataDir: join(folder, `node-${index + 1}`),
      shared: settings,
      hasOwnClock: index === NODES - 1 && FAKETIME !== undefined,
    }),
  )
  for (const { name } of nodes) await mkdir(join(folder, `node-${name}`), { mode: 0o700 })
  ends.push(() => Promise.all(nodes.map((node) => node.kill(true))))
  await Promise.all(nodes.map((node) => node.start()))
  const runAdmin = async (...args: string[]) => {
    const env = { ...BARE_ENVIRONMENT, ...settings, DATA_DIR: join(folder, 'admin') }
    const child = spawn(process.execPath, [ADMIN, ...args], { env, cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
    const [out, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
    return { code: code as number | null, out: out + errors }
  }
  return { nodes, postgres, proxy, folder, runAdmin }
}
