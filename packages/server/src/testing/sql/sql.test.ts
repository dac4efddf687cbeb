import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { ENGINES } from '../engines.ts'
import { readDocuments } from './documents.ts'
import { judgeScans, readExcuses } from './excuses.ts'
import { explainAll, type Explained } from './explain-all.ts'
import { toKey, type SqlEngine } from './statements.ts'
import { WRITING_VARIABLE } from './variables.ts'

const isWriting = process.env[WRITING_VARIABLE] !== undefined
const skip = isWriting ? 'they are being written' : !ENGINES.includes('postgres') && 'needs a PostgreSQL'

describe('the statements in docs/sql', { skip }, () => {
  const statements = readDocuments()
  let explained: Record<SqlEngine, Explained>
  before(async () => {
    const [sqlite, postgres] = await Promise.all([explainAll('sqlite', statements), explainAll('postgres', statements)])
    explained = { sqlite, postgres }
  })

  test('read no table that grows from one end to the other, unless the comment of their function says why', () => {
    const scans = new Map(
      statements.map((statement) => {
        const key = toKey(statement)
        return [key, Object.values(explained).flatMap(({ answers }) => answers.get(key)?.scans ?? [])]
      }),
    )
    assert.deepEqual(judgeScans(statements, scans, readExcuses(statements)), [])
  })
})
