import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { ENGINES } from '../../testing/engines.ts'
import type { Db } from '../open.ts'
import { searchIds, type SearchIndex, type Sought, type Source } from '../search-index.ts'
import { insertOldUser, openBefore } from './testing.ts'

for (const engine of ENGINES)
  test(`12.4 a database from before is searched like a new one (${engine})`, async (t) => {
    const { db, engine: kind, migrateTo } = await openBefore(t, engine, '0024-search-index')
    // With the columns of that time: today's queries may know more of them.
    await insertOldUser(db, 'Ada', 'a@b.example')
    await insertOldUser(db, 'Sam', 's@b.example')
    await sql`insert into collections (owner_id, title, title_key, admin_desc, created_at, proofid, reviewer_id)
      values (1, 'Lease', 'lease', '', 2, null, null), (1, 'Degree', 'degree', '', 3, 'ABCD-EFGH', 2)`.execute(db)
    await sql`insert into proofs (proofid, collection_id, owner_id, reviewer_id, title, title_key, username,
      reviewer_username, admin_desc, approved_at, seed, revision0_sha256, revision0_size, revision0_facts, pages, state)
      values ('ABCD-EFGH', 2, 1, 2, 'Degree', 'degree', 'Ada', 'Sam', '', 1, '', '', 1, '', 1, 'published')`.execute(db)
    await sql`insert into tickets (title, title_key, owner_id, email, email_key, status, is_locked, admin_id, created_at)
      values ('Help', 'help', 1, null, null, 'OPEN', 0, 2, 1), ('Help', 'help', null, 'Z@z', 'z@z', 'OPEN', 0, null, 1)`.execute(
      db,
    )
    await migrateTo()

    const find = async (index: SearchIndex, place: Sought['place'], text: string) => {
      const ask = (source: Source, held: Db) => held.selectFrom(source.as('f')).select('f.id').orderBy('f.id').execute()
      return searchIds({ longReads: db, engine: kind }, { index, sought: [{ place, text }], newestFirst: false }, ask)
    }
    assert.deepEqual(await find('collection_grams', 't', 'e'), [1, 2])
    assert.deepEqual(await find('collection_grams', 't', 'lease'), [1])
    assert.deepEqual(await find('collection_grams', 't', 'ad'), [1, 2])
    assert.deepEqual(await find('collection_grams', 't', 'sam'), [])
    assert.deepEqual(await find('collection_grams', 'r', 'sam'), [2])
    assert.deepEqual(await find('collection_grams', 'p', 'DEFG'), [2])
    assert.deepEqual(await find('proof_grams', 't', 'sa'), [1])
    assert.deepEqual(await find('proof_grams', 'p', 'CDE'), [1])
    assert.deepEqual(await find('user_grams', 't', 'b.example'), [1, 2])
    assert.deepEqual(await find('user_grams', 't', 's'), [2])
    assert.deepEqual(await find('ticket_grams', 't', 'z@'), [2])
    assert.deepEqual(await find('ticket_grams', 't', 'ada'), [1])
    assert.deepEqual(await find('ticket_grams', 'r', 'am'), [1])

    // And kept from now on.
    await sql`update users set email_key = 'x@y.example' where id = 2`.execute(db)
    await sql`update tickets set admin_id = 1 where id = 1`.execute(db)
    await sql`update collections set title_key = 'lease' where id = 2`.execute(db)
    await sql`delete from collections where id = 1`.execute(db)
    assert.deepEqual(await find('user_grams', 't', 's@b'), [])
    assert.deepEqual(await find('user_grams', 't', 'x@y'), [2])
    assert.deepEqual([await find('ticket_grams', 'r', 'sam'), await find('ticket_grams', 'r', 'ada')], [[], [1]])
    assert.deepEqual(
      [await find('collection_grams', 't', 'degree'), await find('collection_grams', 't', 'lease')],
      [[], [2]],
    )
  })
