import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeShellDeps } from '../../events/shell-deps.ts'
import { openPostgres } from '../../db/open.ts'
import { AppError } from '../../errors.ts'
import { beginTestSession } from '../../testing/begin-session.ts'
import { hasRealPostgres, makeRealDatabase } from '../../testing/real-postgres.ts'
import { insertUser } from '../users/queries.ts'
import { endSession, rotateTokens } from './service.ts'

const ROUNDS = 60

const needsPostgres = { skip: !hasRealPostgres && 'PostgreSQL is not installed' }

test(
  'renewing a session and ending it at the same moment never wait for each other (a real PostgreSQL)',
  needsPostgres,
  async (t) => {
    const postgres = await makeRealDatabase('migrated')
    const database = openPostgres(postgres.url)
    t.after(async () => {
      await database.close()
      await postgres.drop()
    })
    const { db } = database
    const user = await insertUser(db, {
      username: 'ada',
      email: 'ada@example.org',
      verified_email: 'ada@example.org',
      first_name: '',
      last_name: '',
      phone_number: '',
      birthdate: null,
      password_hash: null,
      is_active: 1,
      is_staff: 0,
      is_admin: 0,
      is_superuser: 0,
      is_email_verified: 1,
      gfa_is_enabled: 0,
      joined_at: 1,
    })
    assert.ok(user)
    const config = { sessionDays: 90, maxSessions: 20, requireTwoFactor: false }
    const deps = { ...makeShellDeps(db), reads: db, config }
    for (let round = 0; round < ROUNDS; round++) {
      const { refresh } = await beginTestSession(deps, user.id)
      const outcomes = await Promise.allSettled([
        rotateTokens(deps, refresh),
        endSession(deps, null, refresh),
        rotateTokens(deps, refresh),
      ])
      for (const outcome of outcomes)
        if (outcome.status === 'rejected') assert.ok(outcome.reason instanceof AppError, String(outcome.reason))
    }
  },
)
