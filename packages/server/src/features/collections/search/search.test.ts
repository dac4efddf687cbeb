import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SEARCH_COUNT_MAX } from '@proofdesk/contract/limits'
import type { Collection } from '@proofdesk/contract/collections'
import { ENGINES, startTestServer } from '../../../testing.ts'
import type { TestClient } from '../../../testing/client.ts'
import { must, openCollection, sendCollection } from '../../../testing/collections.ts'

const BASE = '/collections/'

async function find(who: TestClient, search: string, rest = ''): Promise<string[]> {
  const { results } = must(await who.get(`${BASE}?search=${encodeURIComponent(search)}${rest}`), 200)
  return (results as Collection[]).map(({ title }) => title)
}

for (const engine of ENGINES) {
  test(`12.1 a part of a word is found from one character on, in any script (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const [ada, sam] = [await server.signIn('ada'), await server.signIn('sam', { is_staff: true })]
    const titles = ['Straße 7', '文書の証明', 'Größe "quoted" AND NOT', '100%_sure!', 'ΣΊΣΥΦΟΣ', 'ab ba']
    for (const title of titles) await openCollection(ada, title)
    for (const [search, found] of [
      ['7', ['Straße 7']],
      ['書', ['文書の証明']],
      ['証明', ['文書の証明']],
      ['文書の証', ['文書の証明']],
      ['STRASSE', ['Straße 7']],
      ['SS', ['Größe "quoted" AND NOT', 'Straße 7']],
      ['"', ['Größe "quoted" AND NOT']],
      ['" AND', ['Größe "quoted" AND NOT']],
      ['%_', ['100%_sure!']],
      ['ίσυφος', ['ΣΊΣΥΦΟΣ']],
      // its grams all stand in a title, but not in this order
      ['ba b', []],
      ['bab', []],
      ['zz', []],
      ["' or 1=1 --", []],
    ] as const)
      assert.deepEqual(await find(sam, search), found, search)
    assert.deepEqual(await find(sam, 'a'), titles.toReversed(), 'its owner is called ada')
    assert.deepEqual(await find(sam, 'a', '&ordering=created_at'), titles)
    assert.deepEqual(
      await find(sam, 'a', '&ordering=title'),
      titles.toSorted((a, b) => (fold(a) < fold(b) ? -1 : 1)),
    )
    assert.deepEqual(await find(sam, 'a', '&is_locked=true'), [])
  })

  test(`12.2 what has changed is found as it is now (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const [ada, sam] = [await server.signIn('ada'), await server.signIn('samuel', { is_staff: true })]
    const sue = await server.signIn('sue', { is_superuser: true })
    const id = await openCollection(ada, 'Lease')
    must(await ada.patch(`/collections/${id}/`, { title: 'Diploma' }), 200)
    assert.deepEqual([await find(sam, 'lease'), await find(sam, 'diplo')], [[], ['Diploma']])

    const sent = await sendCollection(ada)
    must(await sam.post(`/admin/${sent}/reject/`, { admin_desc: 'Page 2 is missing.' }), 200)
    assert.deepEqual([await find(sue, 'samuel'), await find(sam, 'samuel')], [['Degree'], []])
    must(await ada.get(`/collections/${sent}/save/`), 200)
    const { proofid } = must(
      await sam.post(`/admin/${sent}/approve/`, { admin_desc: 'Right.', expire_time: null }),
      200,
    )
    for (const search of [proofid, proofid.slice(0, 4), proofid.slice(5, 14).replace('-', '').toLowerCase()])
      assert.deepEqual(await find(sam, search), ['Degree'], search)

    await openCollection(ada, 'Passport')
    must(await ada.delete(`/collections/${id}/`), 204)
    assert.deepEqual([await find(sam, 'diploma'), await find(sam, 'ada')], [[], ['Passport', 'Degree']])
  })

  test(`12.3 of more than a thousand found the first thousand are shown, and it is said that there are more (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const [ada, sam] = [await server.signIn('ada'), await server.signIn('sam', { is_staff: true })]
    const { id: owner } = must(await ada.get('/user/info'), 200) as { id: number }
    const plant = async (numbers: number[]) => {
      const row = (number: number) => ({
        owner_id: owner,
        title: `Copy ${number}`,
        title_key: `copy ${number}`,
        admin_desc: '',
        is_locked: 0 as const,
        created_at: number,
        revision: 0,
      })
      await server.deps.db.insertInto('collections').values(numbers.map(row)).execute()
    }
    await plant(Array.from({ length: SEARCH_COUNT_MAX }, (_, at) => at + 1))
    const all = must(await sam.get(`${BASE}?search=copy`), 200)
    assert.deepEqual([all.count, all.count_capped], [SEARCH_COUNT_MAX, false])

    await plant([SEARCH_COUNT_MAX + 1])
    const more = must(await sam.get(`${BASE}?search=copy`), 200)
    assert.deepEqual([more.count, more.count_capped], [SEARCH_COUNT_MAX, true])
    assert.equal(more.results[0].title, `Copy ${SEARCH_COUNT_MAX + 1}`)
    const last = must(await sam.get(`${BASE}?search=copy&page=100`), 200)
    assert.deepEqual([last.results.at(-1).title, last.next], ['Copy 2', null])
    assert.equal((await sam.get(`${BASE}?search=copy&page=101`)).status, 404)
    assert.deepEqual((await find(sam, 'copy', '&ordering=created_at')).slice(0, 2), ['Copy 1', 'Copy 2'])
    const own = must(await ada.get(`${BASE}?search=copy`), 200)
    assert.deepEqual([own.count, own.count_capped], [SEARCH_COUNT_MAX + 1, false])
  })
}

const fold = (title: string) => title.normalize('NFKC').toUpperCase().toLowerCase()
