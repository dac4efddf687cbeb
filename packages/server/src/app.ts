import type { FastifyInstance } from 'fastify'
import { removeBlob } from './blobs/remove-blob.ts'
import { inTransaction } from './db/in-transaction.ts'
import type { Db } from './db/open.ts'
import type { Deps } from './deps.ts'
import { doAtOnce, doEach } from './do-each.ts'
import { does, type ErasedPerson, type Feature, type MailDuty } from './feature.ts'
import { account } from './features/account/feature.ts'
import { audit } from './features/audit/feature.ts'
import { auth } from './features/auth/feature.ts'
import { certificates } from './features/certificates/feature.ts'
import { collections } from './features/collections/feature.ts'
import { comments } from './features/comments/feature.ts'
import { contents } from './features/contents/feature.ts'
import { directory } from './features/directory/feature.ts'
import { health } from './features/health/feature.ts'
import { live } from './features/live/feature.ts'
import { log } from './features/log/feature.ts'
import { mailDelivery } from './features/mail-delivery/feature.ts'
import { sendAndTell } from './features/mail-delivery/refused-mail.ts'
import { notifications } from './features/notifications/feature.ts'
import { providerLogin } from './features/provider-login/feature.ts'
import { reviews } from './features/reviews/feature.ts'
import { sessions } from './features/sessions/feature.ts'
import { storedFiles } from './features/stored-files/feature.ts'
import { submissions } from './features/submissions/feature.ts'
import { tickets } from './features/tickets/feature.ts'
import { twoFactor } from './features/two-factor/feature.ts'
import { users } from './features/users/feature.ts'
import { findCaller } from './features/sessions/service.ts'
import { buildHttp, type BuiltPages } from './http/build-http.ts'
import type { FindRecipient } from './mail/recipient.ts'
import type { Handler } from './outbox/outbox.ts'

/** The table of contents of the product. Its order is the rank: a feature imports only from those before it. */
export const FEATURES: readonly Feature[] = [
  users,
  sessions,
  twoFactor,
  auth,
  providerLogin,
  account,
  directory,
  live,
  notifications,
  collections,
  storedFiles,
  submissions,
  contents,
  comments,
  certificates,
  reviews,
  tickets,
  mailDelivery,
  audit,
  log,
  health,
]

/** Work of the house itself. */
const HOUSE_WORK = [does(removeBlob, ({ blobs }, { key }) => blobs.remove(key))]

/** The whole HTTP side; it listens to nothing yet. */
export function buildApp(deps: Deps, built: BuiltPages): Promise<FastifyInstance> {
  return buildHttp(deps, {
    built,
    findCaller: (token) => findCaller(deps, token),
    bindRoutes: (api) => FEATURES.forEach(({ routes }) => routes?.(api, deps)),
    // Each with headers of its own.
    bindAddresses: (site) =>
      FEATURES.forEach(({ addresses }) => addresses && void site.register(async (own) => addresses(own, deps))),
  })
}

/** What each kind of outbox row sets in motion. */
export function listHandlers(deps: Deps): Handler[] {
  const duties = [...HOUSE_WORK, ...FEATURES.flatMap(({ work = [] }) => work)]
  return [
    ...duties.map(({ of, run }): Handler => ({ of, run: (payload, tries) => run(deps, payload, tries) })),
    ...listMails().map((mail): Handler => ({
      of: mail.of,
      run: (payload, tries) => sendAndTell(deps, mail, payload, tries),
    })),
  ]
}

/** Every kind of mail. */
export function listMails(): MailDuty[] {
  return FEATURES.flatMap(({ mails = [] }) => mails)
}

/** Whom a mail that waits is for, by its kind of work. */
export function listMailRecipients(): Map<string, FindRecipient> {
  return new Map(listMails().map(({ of, findRecipient }) => [of.kind, findRecipient]))
}

/** What the features take back in a database that was restored from a backup. */
export async function takeBackAfterRestore(db: Db): Promise<void> {
  await inTransaction(db, async (transaction) => {
    for (const { restored } of FEATURES) await restored?.(transaction)
  })
}

/** Deletes what the features keep about somebody who is erased, in the transaction that erases them. */
export async function forgetPerson(transaction: Db, person: ErasedPerson): Promise<void> {
  for (const { forget } of FEATURES) await forget?.(transaction, person)
}

/** What the features clear away every hour. One that fails keeps no other from its turn. */
export async function sweepFeatures(deps: Deps): Promise<void> {
  await doEach(
    FEATURES.map(
      ({ sweep }) =>
        async () =>
          sweep?.(deps),
    ),
  )
}

/** What follows from time alone, every few seconds. One that fails keeps no other from its work. */
export async function tendFeatures(deps: Deps): Promise<void> {
  await doAtOnce(
    FEATURES.map(
      ({ tend }) =>
        async () =>
          tend?.(deps),
    ),
  )
}
