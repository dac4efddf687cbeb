import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HealthReport } from '@proofdesk/contract/health'
import { VERSION } from '../../config/version.ts'
import { markSeen } from '../../nodes/queries.ts'
import { recordRelease } from '../../nodes/record-release.ts'
import { ENGINES, startTestServer, type TestServer } from '../../testing.ts'
import { must } from '../../testing/collections.ts'
import { findReleaseNotes } from './release-notes.ts'

const MINUTE_MS = 60_000

async function readRelease(server: TestServer): Promise<HealthReport['release']> {
  return must(await (await server.signIn('sue', { is_superuser: true })).get('/health/'), 200).release
}

for (const engine of ENGINES) {
  test(`17.15 the version that runs is told with the one before it, and the change is recorded once (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const { deps, clock } = server
    const first = await readRelease(server)
    assert.deepEqual([first.state, first.before], ['well', null])
    assert.ok(Date.parse(first.since ?? '') <= clock.now())

    await recordRelease(deps, '0.0.9')
    clock.advance(MINUTE_MS)
    await Promise.all([recordRelease(deps), recordRelease(deps), recordRelease(deps)])
    const { since, before } = await readRelease(server)
    assert.equal(before, '0.0.9')
    assert.ok(Date.parse(since ?? '') >= Date.parse(first.since ?? '') + MINUTE_MS)
    // The same version again is no change.
    clock.advance(MINUTE_MS)
    await server.restart()
    assert.equal((await readRelease(server)).since, since)

    const rows = await server.deps.db
      .selectFrom('audit_entries')
      .select('details')
      .where('action', '=', 'version_changed')
      .orderBy('id')
      .execute()
    assert.deepEqual(
      rows.map(({ details }) => JSON.parse(details)),
      [
        { from: VERSION, to: '0.0.9' },
        { from: '0.0.9', to: VERSION },
      ],
    )
  })

  test(`17.16 nodes of different versions at once are told, until the others have been silent (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const { deps, clock } = server
    assert.deepEqual((await readRelease(server)).nodes, [{ version: VERSION, count: 1 }])
    for (const id of ['a', 'b']) await markSeen(deps.db, id, '0.0.9', clock.now())
    await markSeen(deps.db, 'a', '0.0.9', clock.now())
    const mixed = await readRelease(server)
    assert.deepEqual(
      [mixed.state, mixed.nodes],
      [
        'watch',
        [
          { version: '0.0.9', count: 2 },
          { version: VERSION, count: 1 },
        ],
      ],
    )
    clock.advance(2 * MINUTE_MS)
    const after = await readRelease(server)
    assert.deepEqual([after.state, after.nodes], ['well', [{ version: VERSION, count: 1 }]])
  })

  test(`17.16 a process that ended, or fell silent, is forgotten (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const { db } = server.deps
    await markSeen(db, 'silent', '0.0.9', server.clock.now() - 2 * MINUTE_MS)
    await server.restart()
    const rows = await server.deps.db.selectFrom('nodes').select('version').execute()
    assert.deepEqual(
      rows.map(({ version }) => version),
      [VERSION],
    )
  })
}

const CHANGELOG = `# Changelog

## Unreleased

### Upgrading

- Of no release yet.

## [0.3.0] - 2026-11-01

### Added

- A feature.

### Upgrading

- Set \`NEW_SETTING\`, see
  [the page](docs/x.md).
- **Stop** all nodes.

## 0.2.0

### Fixed

- A fault.

## 0.1.0

### Upgrading

- The first.
`

test('17.17 what the changelog wants to be looked at is told for each version since the one before', () => {
  const three = { version: '0.3.0', items: ['Set NEW_SETTING, see the page (docs/x.md).', 'Stop all nodes.'] }
  assert.deepEqual(findReleaseNotes(CHANGELOG, '0.3.0', null), [three])
  assert.deepEqual(findReleaseNotes(CHANGELOG, '0.3.0', '0.2.0'), [three])
  // 0.2.0 has nothing to be looked at, and 0.1.0 ran before.
  assert.deepEqual(findReleaseNotes(CHANGELOG, '0.3.0', '0.1.0'), [three])
  assert.deepEqual(findReleaseNotes(CHANGELOG, '0.1.0', '0.3.0'), [{ version: '0.1.0', items: ['The first.'] }])
  assert.deepEqual(findReleaseNotes(CHANGELOG, '0.4.0', null), [{ version: '0.4.0', items: ['Of no release yet.'] }])
  assert.deepEqual(
    findReleaseNotes(CHANGELOG, '0.4.0', '0.2.0').map(({ version }) => version),
    ['0.4.0', '0.3.0'],
  )
  assert.deepEqual(findReleaseNotes('', '0.3.0', null), [])
})

test('17.17 the changelog that is shipped has something to say of this version', async (t) => {
  const { notes } = await readRelease(await startTestServer(t, 'sqlite'))
  assert.ok(notes.length > 0)
  assert.ok(notes.every(({ items }) => items.length > 0 && items.every((item) => !/[`*\n]/.test(item))))
})
