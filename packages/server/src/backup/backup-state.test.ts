import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENGINES, startTestServer } from '../testing.ts'
import { changeBackupState, readBackupState } from './backup-state.ts'

for (const engine of ENGINES)
  test(`18.18 a change of what came of the backup that another one comes before is made all the same (${engine})`, async (t) => {
    const { db } = (await startTestServer(t, engine)).deps
    const addOne = () => changeBackupState(db, (was) => ({ ...was, tried_at: (was.tried_at ?? 0) + 1 }))
    assert.deepEqual(await Promise.all([addOne(), addOne(), addOne(), addOne()]), [true, true, true, true])
    assert.equal((await readBackupState(db)).tried_at, 4)
    assert.equal(await changeBackupState(db, () => undefined), false)
  })
