import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENGINES, openEmptyDatabase } from '../testing/engines.ts'
import { compileOnce } from './compile-once.ts'
import { claimFact, replaceFact } from './instance.ts'
import { migrate } from './migrate.ts'

for (const engine of ENGINES)
  test(`a query that is compiled once gets the values of each call, in transactions too (${engine})`, async (t) => {
    const database = await openEmptyDatabase(t, engine)
    const { db } = database
    await migrate(database)
    let built = 0
    const findFacts = compileOnce((on, { value, name }: { value: string; name: string }) => {
      built += 1
      const isNamed = on.selectFrom('instance').select('name').where('name', '!=', 'fixed').where('name', '=', name)
      return isNamed.where((where) => where.or([where('value', '=', value), where('value', '=', `and ${value}`)]))
    })
    const find = async (on: typeof db, name: string, value: string) =>
      (await findFacts(on, { name, value })).map((one) => one.name)
    await claimFact(db, 'first_superuser', 'x')
    await claimFact(db, 'ca_fingerprint', 'y')
    const found = [find(db, 'first_superuser', 'x'), find(db, 'ca_fingerprint', 'y'), find(db, 'ca_fingerprint', 'x')]
    assert.deepEqual(await Promise.all(found), [['first_superuser'], ['ca_fingerprint'], []])
    await db.transaction().execute(async (transaction) => {
      await replaceFact(transaction, 'first_superuser', 'x', 'z')
      assert.deepEqual(await find(transaction, 'first_superuser', 'z'), ['first_superuser'])
    })
    assert.equal(built, 1)
  })
