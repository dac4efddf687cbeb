import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENGINES, startTestServer } from '../testing.ts'
import { recordSettings } from './record-settings.ts'

for (const engine of ENGINES) {
  test(`settings between two starts (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const { deps } = server
    const listChanges = async () => {
      const rows = await deps.db
        .selectFrom('audit_entries')
        .select(['details', 'actor_id'])
        .where('action', '=', 'settings_changed')
        .execute()
      return rows.map(({ details, actor_id }) => [JSON.parse(details), actor_id])
    }
    const start = (over: Partial<typeof deps.config>) =>
      recordSettings({ ...deps, config: { ...deps.config, ...over } })

    await t.test('10.17 the first start and one with the same settings record nothing', async () => {
      await start({})
      await start({ port: 9999 })
      assert.deepEqual(await listChanges(), [])
    })

    await t.test('10.17 one that has changed is named, once, also when several processes start with it', async () => {
      const other = { requireTwoFactor: true, smtpUrl: 'smtp://ada:geheim@mail.example' }
      await Promise.all([start(other), start(other), start(other)])
      assert.deepEqual(await listChanges(), [[{ settings: 'requireTwoFactor smtpUrl' }, null]])
    })

    await t.test('10.17 so is one that there is no more', async () => {
      const { requireTwoFactor: _, ...rest } = { ...deps.config, smtpUrl: 'smtp://ada:geheim@mail.example' }
      await recordSettings({ ...deps, config: rest as typeof deps.config })
      assert.deepEqual((await listChanges()).at(-1), [{ settings: 'requireTwoFactor' }, null])
    })

    await t.test('10.17 what it was and is stands nowhere', async () => {
      const rows = await deps.db.selectFrom('instance').selectAll().execute()
      assert.doesNotMatch(JSON.stringify(rows), /geheim|mail\.example/)
    })
  })
}
