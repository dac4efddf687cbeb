import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import diagnostics from 'node:diagnostics_channel'
import { copyFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { openCertifyPool } from '@proofdesk/certify/pool'
import { AppError } from '../../../errors.ts'
import { ENGINES, startTestServer } from '../../../testing.ts'
import { must, sendCollection } from '../../../testing/collections.ts'
import { findRound } from '../../../rounds/queries.ts'
import { judgeCertified } from './judge-certified.ts'

const DAY_MS = 24 * 60 * 60 * 1000

for (const engine of ENGINES) {
  test(`14.42 stored certified PDFs are judged in turns, and what is wrong is known until it is right again (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const { db } = server.deps
    const [ada, sam] = [await server.signIn('ada'), await server.signIn('sam', { is_staff: true })]
    for (let n = 0; n < 3; n++)
      must(await sam.post(`/admin/${await sendCollection(ada)}/approve/`, { admin_desc: 'Fine' }), 200)
    const proofs = await db.selectFrom('proofs').select(['id', 'sealed_key']).orderBy('id').execute()
    const [first, second, third] = proofs.map(({ sealed_key }) => join(server.config.dataDir, 'blobs', sealed_key!))
    const [aside, swapped] = [`${first}.aside`, `${third}.aside`]
    await copyFile(first!, aside)
    await copyFile(third!, swapped)

    /** What is left of the round that is due, if one is. */
    const judgeAll = async () => {
      do await judgeCertified(server.deps)
      while ((await findRound(db, 'certified'))?.is_under_way === 1)
    }
    const listProblems = async () => {
      const rows = await db.selectFrom('file_problems').select(['proof_id', 'told']).orderBy('proof_id').execute()
      return rows.map(({ proof_id, told }) => [proofs.findIndex(({ id }) => id === proof_id), told])
    }

    // The server may have begun a round of its own: the one that is due next begins when the clock says so.
    await judgeAll()
    server.clock.advance(7 * DAY_MS)
    await judgeAll()
    assert.deepEqual(await listProblems(), [])

    await writeFile(first!, '%PDF-1.7 another')
    await rm(second!)
    await copyFile(aside, third!)
    server.clock.advance(6 * DAY_MS)
    await judgeAll()
    assert.deepEqual(await listProblems(), [], 'a round a week is enough')
    server.clock.advance(DAY_MS)
    await judgeAll()
    const [one, two, three, ...more] = await listProblems()
    assert.match(String(one?.[1]), /^not_found, seal /)
    assert.deepEqual([one?.[0], two, three, more], [0, [1, 'no file'], [2, 'valid, of another proof'], []])

    await copyFile(aside, first!)
    await copyFile(swapped, third!)
    server.clock.advance(7 * DAY_MS)
    await Promise.all([judgeAll(), judgeAll()])
    assert.deepEqual(await listProblems(), [[1, 'no file']])

    // A round that begins does not forget when the last whole one ended.
    const before = await findRound(db, 'certified')
    server.clock.advance(7 * DAY_MS)
    await judgeCertified(server.deps)
    const after = await findRound(db, 'certified')
    assert.deepEqual([after?.is_under_way, after?.ended_at], [1, before?.ended_at])
  })

  test(`a certified PDF that the store cannot read is named, and the round goes on (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const { db, blobs } = server.deps
    const [ada, sam] = [await server.signIn('ada'), await server.signIn('sam', { is_staff: true })]
    for (let n = 0; n < 2; n++)
      must(await sam.post(`/admin/${await sendCollection(ada)}/approve/`, { admin_desc: 'Fine' }), 200)
    const [lost, other] = await db.selectFrom('proofs').select(['id', 'sealed_key']).orderBy('id').execute()
    const archived: typeof blobs = {
      ...blobs,
      openLocal: async (key) => {
        if (key === lost!.sealed_key) throw new AppError('storage_unavailable')
        return blobs.openLocal(key)
      },
    }
    await writeFile(join(server.config.dataDir, 'blobs', other!.sealed_key!), '%PDF-1.7 another')
    const deps = { ...server.deps, blobs: archived }
    await judgeCertified(deps)
    server.clock.advance(7 * DAY_MS)
    do await judgeCertified(deps)
    while ((await findRound(db, 'certified'))?.is_under_way === 1)
    const problems = await db.selectFrom('file_problems').select(['proof_id', 'told']).orderBy('proof_id').execute()
    assert.deepEqual(problems[0], { proof_id: lost!.id, told: 'unreadable' })
    assert.equal(problems[1]?.proof_id, other!.id)
    const away = {
      ...archived,
      check: async () => {
        throw new AppError('storage_unavailable')
      },
    }
    server.clock.advance(7 * DAY_MS)
    await assert.rejects(
      async () => {
        do await judgeCertified({ ...deps, blobs: away })
        while ((await findRound(db, 'certified'))?.is_under_way === 1)
      },
      { code: 'storage_unavailable' },
    )
  })

  test(`where no process can be had nothing is known: what was wrong stays wrong, and the round goes on (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const { db } = server.deps
    const [ada, sam] = [await server.signIn('ada'), await server.signIn('sam', { is_staff: true })]
    for (let n = 0; n < 2; n++)
      must(await sam.post(`/admin/${await sendCollection(ada)}/approve/`, { admin_desc: 'Fine' }), 200)
    const [spoiled, sound] = await db.selectFrom('proofs').select(['id', 'sealed_key']).orderBy('id').execute()
    const path = join(server.config.dataDir, 'blobs', spoiled!.sealed_key!)
    await copyFile(path, `${path}.aside`)
    await writeFile(path, '%PDF-1.7 another')
    const judgeNextRound = async (deps = server.deps) => {
      server.clock.advance(7 * DAY_MS)
      do await judgeCertified(deps)
      while ((await findRound(db, 'certified'))?.is_under_way === 1)
    }
    const listProblems = () => db.selectFrom('file_problems').selectAll().execute()

    await judgeNextRound()
    const known = await listProblems()
    assert.deepEqual(
      known.map(({ proof_id }) => proof_id),
      [spoiled!.id],
    )

    const certify = openCertifyPool({ keysDir: server.config.keysDir, workDir: server.config.dataDir, threads: 1 })
    const endAtOnce = (message: unknown) => {
      const { process: child } = message as { process: ChildProcess }
      child.once('spawn', () => child.kill('SIGKILL'))
    }
    diagnostics.subscribe('child_process', endAtOnce)
    try {
      await judgeNextRound({ ...server.deps, certify })
    } finally {
      diagnostics.unsubscribe('child_process', endAtOnce)
      await certify.close()
    }
    assert.deepEqual(await listProblems(), known)
    assert.equal((await findRound(db, 'certified'))?.reached_id, sound!.id)

    await copyFile(`${path}.aside`, path)
    await judgeNextRound()
    assert.deepEqual(await listProblems(), [])
  })
}
