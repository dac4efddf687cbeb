import type { Route } from '@proofdesk/contract/route'
import type { UserInfo } from '@proofdesk/contract/users'
import type { TestServer } from '../../testing.ts'
import type { TestClient, TestFile } from '../client.ts'

/** The columns of the table, in this order, with what each one is. */
export const ROLES = {
  visitor: 'nobody signed in',
  unverified: 'the ordinary owner, whose e-mail is not verified',
  owner: 'the ordinary owner of what the call is about',
  other: 'an ordinary user to whom it does not belong',
  staff: 'staff, to whom it does not belong',
  admin: 'an admin, to whom it does not belong',
  superuser: 'a superuser, to whom it does not belong',
  deactivated: 'the owner, deactivated, with a token from before',
} as const
export type Role = keyof typeof ROLES

export const ROLE_NAMES = Object.keys(ROLES) as Role[]

/** One status for each role, in the order of `ROLES`. */
export type Statuses = readonly [number, number, number, number, number, number, number, number]

/** What a row finds on the stage: nothing on it was touched by another cell. */
export interface Scene {
  server: TestServer
  role: Role
  /** Whoever calls; undefined for a visitor. */
  caller: UserInfo | undefined
  /** Calls as they do. */
  client: TestClient
  /** To whom the row's things belong: the caller in the columns that say so. */
  owner: UserInfo
  /** Ends in another text in every cell. */
  unique: string
}

/** What is sent. */
export interface Ask {
  params?: Record<string, string | number>
  query?: Record<string, string | number>
  body?: unknown
  file?: TestFile
}

/** One line of the table: a call, the state of what it is about, and how each role is answered. */
export interface RoleRow {
  route: Route
  /** Empty where there is nothing to tell apart. */
  state: string
  statuses: Statuses
  /** The things belong to whoever calls, in every column where somebody does. */
  isOwn?: boolean
  /** Sets the stage for one cell and says what to send. */
  prepare(scene: Scene): Promise<Ask> | Ask
}

/** The rows of one call, one for each state. */
export function listRows<const S extends string>(
  route: Route,
  statuses: Readonly<Record<S, Statuses>>,
  prepare: (scene: Scene, state: NoInfer<S>) => Promise<Ask> | Ask,
  options: Pick<RoleRow, 'isOwn'> = {},
): RoleRow[] {
  return (Object.entries(statuses) as [S, Statuses][]).map(([state, expected]) => ({
    route,
    state,
    statuses: expected,
    ...options,
    prepare: (scene) => prepare(scene, state),
  }))
}
