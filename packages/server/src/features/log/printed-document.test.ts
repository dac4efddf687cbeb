import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { needJudge } from '@proofdesk/certify/testing'
import { startTestServer } from '../../testing.ts'
import { must, sendCollection } from '../../testing/collections.ts'
import { printFirstPage, readPrintedCode } from '../../testing/printed-code.ts'

const DOCUMENT = join(import.meta.dirname, '../../../../../docs/proof.md')
const run = promisify(execFile)

test('16.19 what docs/proof.md says checks a printed certificate with tools of others alone, and refuses a changed one', async (t) => {
  if (!needJudge(t, 'python3', 'openssl', 'pdftoppm')) return
  const server = await startTestServer(t, 'sqlite', { now: Date.parse('2027-02-03T04:05:06Z') })
  const ada = await server.signIn('ada')
  const sam = await server.signIn('sam', { is_staff: true })
  const { proofid } = must(await sam.post(`/admin/${await sendCollection(ada)}/approve/`, { admin_desc: 'Fine' }), 200)
  const asked = new URLSearchParams({ proofid, username: 'ada' })
  const pdf = (await server.inject(`/backend/api/v1/service-content-servers/get-pdfs/?${asked}`)).rawPayload
  const code = await readPrintedCode(await printFirstPage(server, pdf))

  const at = (name: string) => join(server.config.dataDir, name)
  const [, script] = [...(await readFile(DOCUMENT, 'utf8')).matchAll(/```python\n([\s\S]*?)```/g)]
  await writeFile(at('paper.py'), script![1]!)
  await writeFile(at('policy.json'), (await server.inject('/log/instance-policy')).rawPayload)
  const check = async (text: string) => {
    await writeFile(at('code.txt'), `${text}\n`)
    return run('python3', [at('paper.py'), at('code.txt'), at('policy.json')])
  }
  const { stdout } = await check(code)
  assert.ok(stdout.startsWith(`Proof ID  ${proofid}\nowner     ada\n`), stdout)
  assert.match(stdout, /\nissued by Test Registry \napproved {2}2027-02-03 04:05:\d\d\+00:00\nends {6}never\n/)

  const last = code.length - 40
  const changed = `${code.slice(0, last)}${code.at(last) === 'A' ? 'B' : 'A'}${code.slice(last + 1)}`
  await assert.rejects(check(changed), /signed by no key of the policy/)
})
