import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { findFreePorts } from './free-ports.ts'
import { isProgram } from './is-program.ts'

/** The account `nobody` on Debian. */
const NOBODY = 65_534
/** On two busy cores it takes about 15 s. */
const START_PATIENCE_MS = 90_000
const PROGRAMS = ['ceph', 'ceph-mon', 'ceph-osd', 'monmaptool', 'radosgw', 'radosgw-admin']
const CLUSTER = '11111111-2222-3333-4444-555555555555'
const DISK = '99999999-2222-3333-4444-555555555555'

/** Where a real S3 is, and who may use it. */
export interface S3Access {
  endpoint: string
  accessKeyId: string
  secretAccessKey: string
}

/** A Ceph of one monitor and one disk in memory with its S3 gateway, which ends with the process that started it. */
export interface PrivateS3 extends S3Access {
  stop(): Promise<void>
}

/** Debian's packages radosgw, ceph-mon, ceph-osd and ceph-common. */
export const hasS3Programs = PROGRAMS.every((name) =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => isProgram(join(folder, name))),
)

/**
 * Version 2 of the messenger hangs without authentication. A disk that tells its place at its start may be quicker than it
 * knows the cluster, and ends then. Object names are short where the disk is memory.
 */
const configure = (folder: string, monitorPort: number, gatewayPort: number) => `[global]
fsid = ${CLUSTER}
mon host = [v1:127.0.0.1:${monitorPort}]
mon initial members = a
ms bind msgr2 = false
public addr = 127.0.0.1
cluster addr = 127.0.0.1
auth cluster required = none
auth service required = none
auth client required = none
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
osd pool default pg autoscale mode = off
mon allow pool size one = true
mon max pg per osd = 1000
osd crush chooseleaf type = 0
osd crush update on start = false
osd class update on start = false
osd objectstore = memstore
memstore device bytes = 1073741824
osd max object name len = 256
osd max object namespace len = 64
run dir = ${folder}
mon cluster log file = ${folder}/cluster.log
log file = ${folder}/$name.log
admin socket = ${folder}/$name.$pid.asok
mon data = ${folder}/mon
osd data = ${folder}/osd
[client.rgw]
rgw frontends = beast endpoint=127.0.0.1:${gatewayPort}
`

/**
 * Brings it up step by step, says so, and waits: when its input ends, because `stop` was called or because the process that
 * started it is gone, however it ended, all of Ceph and its folder go.
 */
const HOLD = `
  cd "$1" || exit 1
  ceph="-c $1/ceph.conf"
  end() { trap - EXIT; kill -KILL $pids 2>/dev/null; wait; rm -rf "$1"; }
  trap 'end "$1"' EXIT
  start() {
    mkdir mon osd && monmaptool --create --fsid ${CLUSTER} --addv a "$2" monmap &&
      ceph-mon $ceph -i a --mkfs --monmap monmap || return 1
    ceph-mon $ceph -i a -f & pids="$pids $!"
    timeout 30 ceph $ceph osd new ${DISK} 0 && ceph-osd $ceph -i 0 --mkfs --osd-uuid ${DISK} &&
      timeout 30 ceph $ceph osd crush add osd.0 1.0 root=default || return 1
    ceph-osd $ceph -i 0 -f & pids="$pids $!"
    timeout 60 radosgw-admin $ceph -n client.rgw user create --uid tests --display-name tests \
      --access-key "$3" --secret "$4" || return 1
    radosgw $ceph -n client.rgw -f & pids="$pids $!"
  }
  start "$@" >>"$1/out" 2>&1 </dev/null && echo started || { tail -c 2000 "$1/out"; exit 1; }
  read -r _`

export async function startPrivateS3(): Promise<PrivateS3> {
  const folder = await mkdtemp(join(tmpdir(), 'proofdesk-s3-'))
  const [monitorPort = 0, gatewayPort = 0] = await findFreePorts(2)
  await writeFile(join(folder, 'ceph.conf'), configure(folder, monitorPort, gatewayPort))
  const account = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
  if (account.uid !== undefined) await chown(folder, account.uid, account.gid)
  const access = {
    endpoint: `http://127.0.0.1:${gatewayPort}`,
    accessKeyId: 'tests',
    secretAccessKey: 'of-these-tests',
  }
  const words = [folder, `[v1:127.0.0.1:${monitorPort}]`, access.accessKeyId, access.secretAccessKey]
  const holder = spawn('sh', ['-c', HOLD, 's3', ...words], {
    // Where the tests run on another day it keeps the true one, as another machine would.
    env: { ...process.env, LD_PRELOAD: undefined },
    // Beyond the reach of a Ctrl-C, which is meant for the tests.
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
    ...account,
  })
  holder.stdin.on('error', () => {})
  const ended = once(holder, 'exit')
  const stop = async () => {
    holder.ref()
    holder.stdin.end()
    await ended
  }
  const told = await Promise.race([
    once(holder.stdout.setEncoding('utf8'), 'data').then(([text]) => String(text)),
    ended.then(() => 'it ended'),
  ])
  if (!told.startsWith('started')) throw new Error(`Ceph did not start: ${told}`)
  await waitForGateway(access.endpoint).catch(async (error: unknown) => {
    await stop()
    throw error
  })
  holder.unref()
  // Pipes of a child process are sockets, which can be told not to keep this process running.
  for (const pipe of [holder.stdin, holder.stdout])
    if ('unref' in pipe && typeof pipe.unref === 'function') pipe.unref()
  return { ...access, stop }
}

async function waitForGateway(endpoint: string): Promise<void> {
  for (const end = Date.now() + START_PATIENCE_MS; ;) {
    const answer = await fetch(endpoint).catch(() => undefined)
    if (answer?.ok) return
    if (Date.now() > end) throw new Error('radosgw did not start')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
