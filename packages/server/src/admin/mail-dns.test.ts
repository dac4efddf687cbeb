import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { BARE_ENVIRONMENT } from '../testing/bare-environment.ts'
import { findProgram } from '../testing/find-program.ts'
import { startNameServer } from '../testing/name-server.ts'

const ADMIN = findProgram('admin/main.ts')

test('8.85 a command looks the records up, and says what stands there and what to publish', async (t) => {
  const server = await startNameServer(t, {
    'example.org': ['v=spf1 mx -all'],
    '_dmarc.example.org': ['v=DMARC1; p=quarantine'],
  })
  const run = async (...args: string[]) => {
    const env = { ...BARE_ENVIRONMENT, MAIL_FROM: 'desk@example.org' }
    const child = spawn(process.execPath, [ADMIN, 'mail-dns', ...args], { env })
    const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
    return { code: code as number, lines: out.trimEnd().split('\n'), err }
  }
  assert.deepEqual(await run('--server', server.address), {
    code: 1,
    lines: [
      'SPF at example.org: It fits.',
      '  There stands: v=spf1 mx -all',
      'DKIM at example.org: Mails are not signed: set DKIM_DOMAIN, DKIM_SELECTOR and DKIM_KEY.',
      'DMARC at _dmarc.example.org: It fits.',
      '  There stands: v=DMARC1; p=quarantine',
    ],
    err: '',
  })
  delete server.texts['_dmarc.example.org']
  const { lines } = await run('--server', server.address)
  assert.equal(lines.at(-1), '  To publish: _dmarc.example.org. IN TXT "v=DMARC1; p=none"')
  for (const wrong of [['--server', 'ns.example.org'], ['--server'], ['more'], ['--server', '1.2.3.4:99999']])
    assert.equal((await run(...wrong)).code, 2)
})
