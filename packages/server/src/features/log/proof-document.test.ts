import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { needJudge, runJudge } from '@proofdesk/certify/testing'
import { startTestServer } from '../../testing.ts'
import { must, sendCollection } from '../../testing/collections.ts'

const DOCUMENT = join(import.meta.dirname, '../../../../../docs/proof.md')
const run = promisify(execFile)

test('14.23 what docs/proof.md says checks a proof with tools of others alone, and refuses a changed one', async (t) => {
  if (!needJudge(t, 'python3', 'openssl', 'pdfdetach', 'pdfsig')) return
  const server = await startTestServer(t, 'sqlite')
  const ada = await server.signIn('ada')
  const sam = await server.signIn('sam', { is_staff: true })
  // Some more, so that the path has hashes on both sides.
  const ids = [await sendCollection(ada), await sendCollection(ada), await sendCollection(ada)]
  const approve = async (id: number) =>
    must(await sam.post(`/admin/${id}/approve/`, { admin_desc: 'Schön & "gut"' }), 200)
  await approve(ids[0]!)
  await approve(ids[1]!)
  const { proofid } = await approve(ids[2]!)
  const answer = await server.inject(
    `/backend/api/v1/service-content-servers/get-pdfs/?${new URLSearchParams({ proofid, username: 'ada' })}`,
  )
  const at = (name: string) => join(server.config.dataDir, name)
  await writeFile(at('certified.pdf'), answer.rawPayload)
  await writeFile(at('policy.json'), (await server.inject('/log/instance-policy')).rawPayload)
  const script = /```python\n([\s\S]*?)```/.exec(await readFile(DOCUMENT, 'utf8'))?.[1]
  assert.ok(script)
  await writeFile(at('check.py'), script)
  assert.match((await runJudge('pdfsig', '-nocert', at('certified.pdf'))).text, /Total document signed/)
  await runJudge('pdfdetach', '-saveall', '-o', server.config.dataDir, at('certified.pdf'))

  const check = (pdf: string, proof = 'proof.tlog-proof') =>
    run('python3', [at('check.py'), at(pdf), at(proof), at('policy.json')], { cwd: server.config.dataDir })
  const { stdout } = await check('certified.pdf')
  const approved = await readFile(at('approved.pdf'))
  assert.ok(
    answer.rawPayload.subarray(0, approved.length).equals(approved) && approved.toString('latin1').endsWith('%%EOF\n'),
  )
  assert.match(stdout, new RegExp(`^entry 4 of 5 in ${server.deps.log.origin}\n`))
  assert.ok(stdout.includes(proofid) && stdout.includes('Schön & \\"gut\\"'))

  // Of several keys it takes the one that signed, wherever it stands.
  const policy = JSON.parse(await readFile(at('policy.json'), 'utf8')) as { logPolicy: string }
  const key = /^log (\S+)/m.exec(policy.logPolicy)![1]!
  const other = `${server.deps.log.origin}+00000000+${Buffer.alloc(33, 1).toString('base64')}`
  const checkUnder = async (logPolicy: string) => {
    await writeFile(at('other.json'), JSON.stringify({ ...policy, logPolicy }))
    return run('python3', ['check.py', 'certified.pdf', 'proof.tlog-proof', 'other.json'], {
      cwd: server.config.dataDir,
    })
  }
  assert.equal((await checkUnder(`log ${other}\n${policy.logPolicy}`)).stdout, stdout)
  await assert.rejects(checkUnder(policy.logPolicy.replace(key, other)), /another log/)

  const changed = Buffer.from(answer.rawPayload)
  changed[3000]! ^= 1
  await writeFile(at('changed.pdf'), changed)
  await assert.rejects(check('changed.pdf'), /another document/)
  const proof = await readFile(at('proof.tlog-proof'), 'utf8')
  await writeFile(at('moved.tlog-proof'), proof.replace('\nindex 4\n', '\nindex 3\n'))
  await assert.rejects(check('certified.pdf', 'moved.tlog-proof'), /not in that tree|too long/)
  await writeFile(at('beyond.tlog-proof'), proof.replace('\nindex 4\n', '\nindex 4002\n'))
  await assert.rejects(check('certified.pdf', 'beyond.tlog-proof'), /beyond the tree/)
  const lines = proof.trimEnd().split('\n')
  const signature = Buffer.from(lines.at(-1)!.split(' ')[2]!, 'base64')
  signature[40]! ^= 1
  lines[lines.length - 1] = lines.at(-1)!.replace(/ \S+$/, ` ${signature.toString('base64')}`)
  await writeFile(at('forged.tlog-proof'), `${lines.join('\n')}\n`)
  await assert.rejects(check('certified.pdf', 'forged.tlog-proof'), /CalledProcessError/)

  // Without any key: what the entry commits to is put beside it, and the document is another.
  const [, carried] = /\nextra (\S+)\n/.exec(proof)!
  const extra = JSON.parse(Buffer.from(carried!, 'base64').toString()) as { d: string[]; e: object }
  const forge = async (name: string, members: object) => {
    const line = Buffer.from(JSON.stringify({ ...extra, ...members })).toString('base64')
    await writeFile(at(name), proof.replace(carried!, line))
  }
  const invented = Buffer.from('%PDF-1.7 of somebody else')
  await writeFile(at('invented.pdf'), invented)
  const disclosed = extra.d.map((one) => {
    const [salt, field] = JSON.parse(Buffer.from(one, 'base64url').toString()) as [string, string]
    if (field !== 'doc') return one
    const value = [{ sha256: createHash('sha256').update(invented).digest('hex'), size: invented.length }]
    return Buffer.from(JSON.stringify([salt, field, value])).toString('base64url')
  })
  const digests = extra.d.map((one) => createHash('sha256').update(one).digest('base64url')).toSorted()
  const committed = `proofdesk/commit/v1\n${digests.join('\n')}\n`
  const c = createHash('sha256').update(committed).digest('base64url')
  await forge('replaced.tlog-proof', { d: disclosed, e: { ...extra.e, c } })
  await assert.rejects(check('invented.pdf', 'replaced.tlog-proof'), /no entry of an approval/)
  await forge('other.tlog-proof', { d: disclosed })
  await assert.rejects(check('invented.pdf', 'other.tlog-proof'), /not in that tree/)
  await forge('hidden.tlog-proof', { d: extra.d.slice(1), h: [digests[0]] })
  await assert.rejects(check('certified.pdf', 'hidden.tlog-proof'), /not all of it is shown/)
  for (const e of [
    { ...extra.e, t: 1 },
    { ...extra.e, x: 20_000 },
  ]) {
    await forge('redated.tlog-proof', { e })
    await assert.rejects(check('certified.pdf', 'redated.tlog-proof'), /another time/)
  }
  await forge('twice.tlog-proof', { d: [...extra.d, disclosed[extra.d.findIndex((one, i) => one !== disclosed[i])]] })
  await assert.rejects(check('certified.pdf', 'twice.tlog-proof'), /stands twice/)
})
