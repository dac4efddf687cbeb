import assert from 'node:assert/strict'
import { API_BASE } from '@proofdesk/contract/route'
import type { UserInfo } from '@proofdesk/contract/users'
import { beginTestSession } from '../begin-session.ts'
import type { TestServer } from '../../testing.ts'
import { makeClient } from '../client.ts'
import { ROLE_NAMES, type Ask, type Role, type RoleRow, type Scene } from './role-row.ts'

let scenes = 0

/**
 * Plays one cell of the table on a real server; where it is to be refused nothing of the owner's may change.
 * @returns the status it was answered with.
 */
export async function playCell(server: TestServer, row: RoleRow, role: Role): Promise<number> {
  const scene = await setStage(server, role, row.isOwn ?? false)
  const ask = await row.prepare(scene)
  const isRefused = (row.statuses[ROLE_NAMES.indexOf(role)] ?? 0) >= 400
  if (!isRefused || row.route.method === 'GET') return send(scene, row, ask)
  const before = await readBelongings(scene)
  const status = await send(scene, row, ask)
  assert.deepEqual(await readBelongings(scene), before, `${role} is answered with ${status}, and nothing changes`)
  return status
}

async function readBelongings({ server: { deps }, owner }: Scene) {
  const { db } = deps
  const own = db.selectFrom('collections').select('id').where('owner_id', '=', owner.id)
  return Promise.all([
    db.selectFrom('collections').selectAll().where('owner_id', '=', owner.id).orderBy('id').execute(),
    db.selectFrom('contents').selectAll().where('collection_id', 'in', own).orderBy('id').execute(),
    db.selectFrom('comments').selectAll().where('collection_id', 'in', own).orderBy('id').execute(),
    db.selectFrom('proofs').selectAll().where('collection_id', 'in', own).orderBy('id').execute(),
  ])
}

/** The same by somebody of the role whose e-mail is not verified. */
export async function playCellUnverified(server: TestServer, row: RoleRow, role: Role): Promise<number> {
  const scene = await setStage(server, role, row.isOwn ?? false)
  if (scene.caller)
    await server.deps.db.updateTable('users').set({ is_email_verified: 0 }).where('id', '=', scene.caller.id).execute()
  return send(scene, row, await row.prepare(scene))
}

async function setStage(server: TestServer, role: Role, isOwn: boolean): Promise<Scene> {
  scenes += 1
  const unique = String(scenes)
  const caller = role === 'visitor' ? undefined : await makeCaller(server, role, `${role}${unique}`)
  const tokens = caller && (await beginTestSession(server.deps, caller.id))
  if (caller && role === 'deactivated')
    await server.deps.db.updateTable('users').set({ is_active: 0 }).where('id', '=', caller.id).execute()
  const isOwner = isOwn || role === 'owner' || role === 'unverified' || role === 'deactivated'
  const owner = caller && isOwner ? caller : await server.createUser({ username: `ada${unique}` })
  return { server, role, caller, client: makeClient(() => server.app, tokens), owner, unique }
}

function makeCaller(server: TestServer, role: Role, username: string): Promise<UserInfo> {
  return server.createUser({
    username,
    verified: role !== 'unverified',
    is_staff: role === 'staff',
    is_admin: role === 'admin',
    is_superuser: role === 'superuser',
  })
}

async function send(
  { client, server }: Scene,
  { route }: RoleRow,
  { params = {}, query = {}, body, file }: Ask,
): Promise<number> {
  const place = route.path.replace(/:(\w+)/g, (_, name: string) => String(params[name]))
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
  const path = search.size ? `${place}?${search}` : place
  if (file) return (await client.upload(path, body as Record<string, string>, file)).status
  if (route.stream) return openStream(server, path, client.access)
  switch (route.method) {
    case 'GET':
      return (await client.get(path)).status
    case 'POST':
      return (await client.post(path, body)).status
    case 'PATCH':
      return (await client.patch(path, body)).status
    case 'DELETE':
      return (await client.delete(path)).status
  }
}

const addresses = new WeakMap<TestServer, Promise<string>>()

/** A stream has no end to wait for, so it is opened over the network, and left as soon as its status is known. */
async function openStream(server: TestServer, path: string, access: string | undefined): Promise<number> {
  const address = addresses.get(server) ?? server.listen()
  addresses.set(server, address)
  const leaving = new AbortController()
  const { status } = await fetch(`${await address}${API_BASE}${path}`, {
    headers: access === undefined ? {} : { authorization: `Bearer ${access}` },
    signal: leaving.signal,
  })
  leaving.abort()
  return status
}
