import assert from 'node:assert/strict'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { ENGINES, startTestServer } from '../../testing.ts'
import { must, openCollection, addFile } from '../../testing/collections.ts'
import { findOriginal } from '../../testing/stored-files.ts'
import { makeDocument } from './make-document.ts'
import { prepareAgain } from './prepare-again.ts'
import { listFailed } from './queries.ts'

for (const engine of ENGINES)
  test(`18.26 what could not be prepared is begun anew once, also when two find its original put back (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const { deps, config } = server
    const [ada, sam] = [await server.signIn('ada'), await server.signIn('sam', { is_staff: true })]
    const show = async (id: number) => must(await sam.get(`/collections/${id}`), 200).submission
    const ids = [await openCollection(ada), await openCollection(ada)] as const
    for (const id of ids) {
      const place = await findOriginal(server, await addFile(ada, id))
      const aside = join(config.dataDir, `aside-${id}`)
      await rename(place, aside)
      must(await ada.post(`/collections/${id}/save/`), 200)
      for (let tries = 0; tries < 4; tries++) {
        await server.settle()
        server.clock.advance(60_000)
      }
      await rename(aside, place)
    }
    const [first, second] = await listFailed(deps.db)
    assert.deepEqual([first?.collection_id, second?.collection_id], ids)

    assert.deepEqual((await Promise.all([prepareAgain(deps, first!), prepareAgain(deps, first!)])).toSorted(), [
      false,
      true,
    ])
    assert.equal((await show(ids[1])).document, 'failed', 'the other one is left alone')
    await server.settle()
    const ready = await show(ids[0])
    assert.equal(ready.document, 'ready')

    assert.equal(await prepareAgain(deps, first!), false, 'of what is ready by now')
    await makeDocument(deps, first!.id, 0)
    assert.deepEqual(await show(ids[0]), ready)
    must(await sam.post(`/admin/${ids[0]}/approve/`, { admin_desc: 'Fine', digest: ready.digest }), 200)

    must(await sam.post(`/admin/${ids[1]}/reject/`, { admin_desc: 'It cannot be opened' }), 200)
    assert.equal(await prepareAgain(deps, second!), false, 'of what was rejected')
    await server.settle()
  })
