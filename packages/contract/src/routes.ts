import { z } from 'zod'
import * as account from './account.ts'
import * as activity from './activity.ts'
import * as audit from './audit.ts'
import * as auth from './auth.ts'
import * as certificates from './certificates.ts'
import * as collections from './collections.ts'
import * as comments from './comments.ts'
import * as contents from './contents.ts'
import type { ErrorCode } from './errors.ts'
import * as directory from './directory.ts'
import * as health from './health.ts'
import * as judgedProof from './judged-proof.ts'
import * as live from './live.ts'
import * as mailDelivery from './mail-delivery.ts'
import * as notifications from './notifications.ts'
import * as proofChanges from './proof-changes.ts'
import * as providerLogin from './provider-login.ts'
import * as reference from './reference.ts'
import * as reviews from './reviews.ts'
import type { Route } from './route.ts'
import * as sessions from './sessions.ts'
import * as submissions from './submissions.ts'
import * as tickets from './tickets.ts'
import * as twoFactor from './two-factor.ts'

/**
 * Every file of the contract that declares a call, in the order of the reference. A call is found by being exported; a
 * new file needs a line here.
 */
const GROUPS: { title: string; about: string; parts: Record<string, unknown>[] }[] = [
  { title: 'Accounts', about: 'Registering, signing in, verifying an address.', parts: [auth] },
  { title: 'Sessions', about: 'Renewing and ending a session.', parts: [sessions] },
  { title: 'Two-factor', about: 'The second step of signing in, and setting it up.', parts: [twoFactor] },
  { title: 'Identity providers', about: 'Signing in by somebody who knows the person.', parts: [providerLogin] },
  { title: 'Profile', about: 'The signed-in person, and their password.', parts: [account] },
  { title: 'Users', about: 'Accounts, for admins and superusers.', parts: [directory] },
  { title: 'Notifications', about: 'What happened to one’s own things.', parts: [notifications] },
  {
    title: 'Collections',
    about: 'Gathering documents and sending them for review.',
    parts: [collections, submissions],
  },
  { title: 'Contents', about: 'The files of a collection.', parts: [contents] },
  { title: 'Comments', about: 'What owner and reviewers say to each other.', parts: [comments] },
  { title: 'Reviews', about: 'Deciding on collections.', parts: [reviews] },
  {
    title: 'Certified PDFs',
    about: 'What an approval yields, and how a stranger gets it.',
    parts: [certificates, judgedProof, proofChanges],
  },
  { title: 'Tickets', about: 'Questions to the desk, also from visitors without an account.', parts: [tickets] },
  { title: 'Health', about: 'How this installation is, for superusers.', parts: [health] },
  { title: 'Mail', about: 'Whether mails go out, for superusers.', parts: [mailDelivery] },
  {
    title: 'Audit',
    about: 'What people did: the trail for superusers, a collection’s timeline.',
    parts: [audit, activity],
  },
  { title: 'Events', about: 'Being told when something has changed.', parts: [live] },
  { title: 'Reference', about: 'This API about itself.', parts: [reference] },
]

/** One call with its name and the part of the reference it stands in. */
export interface NamedRoute {
  /** The name it is exported by; no two are alike. */
  name: string
  group: string
  route: Route
}

/** All calls there are. */
export const ROUTES: readonly NamedRoute[] = GROUPS.flatMap(({ title, parts }) =>
  parts.flatMap((part) =>
    Object.entries(part).flatMap(([name, value]) => (isRoute(value) ? [{ name, group: title, route: value }] : [])),
  ),
)

export const ROUTE_GROUPS: readonly { title: string; about: string }[] = GROUPS.map(({ title, about }) => ({
  title,
  about,
}))

/** Shapes of answers by the names they are exported by, such as Collection. */
export const NAMED_SHAPES: ReadonlyMap<z.ZodType, string> = new Map(
  GROUPS.flatMap(({ parts }) => parts.flatMap(Object.entries<unknown>)).flatMap(([name, value]) =>
    value instanceof z.ZodObject ? [[value, name]] : [],
  ),
)

export function isRoute(value: unknown): value is Route {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value
}

/** Where a call stands, as people write it: `GET /collections/`. */
export function nameRoute({ method, path }: Pick<Route, 'method' | 'path'>): string {
  return `${method} ${path}`
}

/** Every code a call may refuse with: its own, those that follow from what it takes, and those any call may meet. */
export function errorsOf(route: Route): ErrorCode[] {
  const codes = new Set<ErrorCode>(route.errors)
  if (route.access !== 'public') codes.add('not_signed_in')
  if (route.access !== 'public' && !route.isOpenBeforeTwoFactor) codes.add('two_factor_required')
  if (route.params) codes.add('not_found')
  if (route.query) codes.add('invalid')
  if (route.isMadeOnce) codes.add('idempotency_key_reused')
  if (route.file) codes.add('file_not_matching').add('range_outside_file')
  // A body is read, and may be refused, before anybody asks whether the call has one.
  if (route.method !== 'GET') for (const code of BODY_ERRORS) codes.add(code)
  codes.add('internal')
  codes.add('database_unavailable')
  return [...codes]
}

const BODY_ERRORS = ['invalid', 'body_too_large', 'unsupported_media_type'] as const satisfies ErrorCode[]

/** Statuses a call may answer with when it does not refuse. */
export function successesOf(route: Route): number[] {
  const others = Object.keys(route.otherStatuses ?? {}).map(Number)
  return [route.status ?? 200, ...others, ...(route.file ? [206, 304] : [])]
}
