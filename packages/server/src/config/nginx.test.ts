import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request, type IncomingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

const CONFIG = join(import.meta.dirname, '../../../../deploy/nginx.conf')
const skip = spawnSync('nginx', ['-v']).status === 0 ? false : 'nginx is not installed (Debian: nginx-light)'

/** The file as it is, but with plain http at a socket in place of TLS, one node at another, and its own files in a folder. */
function writeConfig(folder: string): string {
  const text = readFileSync(CONFIG, 'utf8')
    .replace(/^user .*\n/m, '')
    .replace(/^pid .*/m, `pid ${folder}/pid;`)
    .replace('access_log /dev/stdout plain;', () =>
      [
        `access_log ${folder}/access.log plain;`,
        ...['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`),
      ].join('\n'),
    )
    .replace(/^ +server proofdesk-1:8000/m, `server unix:${folder}/node`)
    .replace(/^ +server proofdesk-\d:8000.*\n/gm, '')
    .replace('listen 80;', `listen unix:${folder}/plain;`)
    .replace('listen 443 ssl;', `listen unix:${folder}/front;`)
    .replace(/^ +(listen \[::\]|ssl_).*\n/gm, '')
  const path = join(folder, 'nginx.conf')
  writeFileSync(path, text)
  return path
}

describe('nginx.conf, in a real nginx', { skip }, () => {
  let folder: string
  const asked: { url: string; headers: IncomingHttpHeaders }[] = []
  const node = createServer(({ url = '', headers }, response) => {
    asked.push({ url, headers })
    response.end('node')
  })
  let stop: () => Promise<unknown>

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'proofdesk-nginx-'))
    await once(node.listen(join(folder, 'node')), 'listening')
    const options = ['-p', folder, '-e', join(folder, 'error.log'), '-g', 'daemon off; master_process off;']
    const nginx = spawn('nginx', ['-c', writeConfig(folder), ...options], { stdio: 'inherit' })
    const ended = once(nginx, 'exit')
    stop = () => (nginx.kill(), ended)
    while (!existsSync(join(folder, 'pid')) && nginx.exitCode === null) await sleep(10)
    assert.equal(nginx.exitCode, null)
  })

  after(async () => {
    await stop()
    node.closeAllConnections()
    node.close()
    rmSync(folder, { recursive: true })
  })

  async function ask(path: string, headers: Record<string, string> = {}): Promise<number | undefined> {
    const call = request({
      socketPath: join(folder, 'front'),
      path,
      headers: { host: 'proof.example', ...headers },
    }).end()
    const [answer] = await once(call, 'response')
    answer.resume()
    await once(answer, 'end')
    return answer.statusCode
  }

  for (const path of ['/', '/backend/api/v1/events/']) {
    test(`what a client says of where it is, and of the trace it belongs to, does not reach the node (${path})`, async () => {
      const forged = {
        'x-forwarded-for': '192.0.2.1',
        'x-forwarded-host': 'forged.example',
        'x-forwarded-proto': 'gopher',
        forwarded: 'for=192.0.2.1',
        traceparent: '00-11111111111111111111111111111111-2222222222222222-01',
        tracestate: 'forged=1',
      }
      assert.equal(await ask(path, forged), 200)
      const { url, headers } = asked.at(-1)!
      assert.equal(url, path)
      assert.equal(headers.host, 'proof.example')
      for (const [name, value] of Object.entries(forged)) assert.notEqual(headers[name], value, name)
      assert.equal(headers['traceparent'] ?? headers['tracestate'], undefined)
    })
  }

  test('metrics are passed to nobody, however their address is written', async () => {
    const askedBefore = asked.length
    for (const path of [
      '/metrics',
      '/metrics/',
      '/metrics?x=1',
      '//metrics//',
      '/%6detrics/',
      '/./metrics',
      '/x/../metrics/',
    ])
      assert.equal(await ask(path), 404, path)
    assert.equal(asked.length, askedBefore)
    assert.equal(await ask('/metrics-of-something'), 200)
  })
})
