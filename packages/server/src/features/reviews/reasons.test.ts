import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SAVED_REASONS_MAX } from '@proofdesk/contract/limits'
import { ENGINES, startTestServer, type TestClient } from '../../testing.ts'
import { must } from '../../testing/collections.ts'

for (const engine of ENGINES)
  test(`reviewers save descriptions for the next decision (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const sam = await server.signIn('sam', { is_staff: true })
    const stu = await server.signIn('stu', { is_staff: true })
    const save = (who: TestClient, decision: string, text: string) => {
      server.clock.advance(1)
      return who.post('/admin/reasons/', { decision, text })
    }
    const listOf = async (who: TestClient, decision: string): Promise<string[]> =>
      must(await who.get('/admin/reasons/'), 200)
        .results.filter((row: { decision: string }) => row.decision === decision)
        .map((row: { text: string }) => row.text)

    await t.test('each for one decision, the one saved last first, the same one once', async () => {
      must(await save(sam, 'reject', ' Page 2 is not signed. '), 201)
      must(await save(sam, 'reject', 'The scan is cut off.'), 201)
      must(await save(sam, 'approve', 'Checked against the register.'), 201)
      assert.deepEqual(await listOf(sam, 'reject'), ['The scan is cut off.', 'Page 2 is not signed.'])
      assert.deepEqual(await listOf(sam, 'approve'), ['Checked against the register.'])
      must(await save(sam, 'reject', 'Page 2 is not signed.'), 201)
      assert.deepEqual(await listOf(sam, 'reject'), ['Page 2 is not signed.', 'The scan is cut off.'])
    })

    await t.test('saved twice at once it stands there once', async () => {
      const answers = await Promise.all([1, 2, 3].map(() => save(sam, 'approve', 'Seen.')))
      assert.deepEqual(new Set(answers.map((answer) => must(answer, 201).id)).size, 1)
      assert.equal((await listOf(sam, 'approve')).filter((text) => text === 'Seen.').length, 1)
    })

    await t.test('nobody sees or forgets another’s', async () => {
      assert.deepEqual(must(await stu.get('/admin/reasons/'), 200).results, [])
      const [{ id }] = must(await sam.get('/admin/reasons/'), 200).results
      assert.equal((await stu.delete(`/admin/reasons/${id}/`)).json().code, 'reason_not_found')
      assert.ok((await listOf(sam, 'approve')).includes('Seen.'))
      assert.equal((await sam.delete(`/admin/reasons/${id}/`)).status, 204)
      assert.equal((await sam.delete(`/admin/reasons/${id}/`)).status, 404)
    })

    await t.test('blank, too long or for nothing they are refused', async () => {
      for (const [decision, text, field] of [
        ['reject', ' ', 'text'],
        ['reject', 'x'.repeat(2001), 'text'],
        ['withdraw', 'Fine', 'decision'],
      ] as const) {
        const refused = await save(stu, decision, text)
        assert.equal(refused.status, 400)
        assert.equal(refused.json()[field].length, 1)
      }
      assert.deepEqual(await listOf(stu, 'reject'), [])
      must(await save(stu, 'reject', '😀'.repeat(1000)), 201)
    })

    await t.test('beyond the limit the oldest goes, and none of the other decision', async () => {
      must(await save(stu, 'approve', 'Fine.'), 201)
      for (let n = 0; n <= SAVED_REASONS_MAX; n += 1) must(await save(stu, 'reject', `Reason ${n}`), 201)
      const kept = await listOf(stu, 'reject')
      assert.equal(kept.length, SAVED_REASONS_MAX)
      assert.equal(kept[0], `Reason ${SAVED_REASONS_MAX}`)
      assert.equal(kept.at(-1), 'Reason 1')
      assert.deepEqual(await listOf(stu, 'approve'), ['Fine.'])
      // One that is saved anew is no longer the oldest.
      must(await save(stu, 'reject', 'Reason 1'), 201)
      must(await save(stu, 'reject', 'One more'), 201)
      const [first, second, ...others] = await listOf(stu, 'reject')
      assert.deepEqual([first, second, others.at(-1)], ['One more', 'Reason 1', 'Reason 3'])
    })
  })
