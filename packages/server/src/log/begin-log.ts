import { parseStatement } from '@proofdesk/proof/log/statements'
import { inTransaction } from '../db/in-transaction.ts'
import type { Db } from '../db/open.ts'
import { appendEntries, toEntry } from './append-statement.ts'
import type { LogParts } from './log.ts'
import { listEntries, lockHead } from './queries.ts'

/**
 * The first leaves: what the log is called, and the certificate that seals.
 * @param signerFingerprint SHA-256 of that certificate, hex.
 */
export async function beginLog(
  { db, engine, now }: Pick<LogParts, 'db' | 'engine' | 'now'>,
  origin: string,
  signerFingerprint: string,
): Promise<void> {
  const time = Math.floor(now() / 1000)
  const fingerprint = Buffer.from(signerFingerprint, 'hex').toString('base64url')
  await inTransaction(db, async (transaction) => {
    if ((await lockHead(transaction, engine)).size > 0) return
    await appendEntries(engine, transaction, [
      toEntry({ kind: 'genesis', origin, time }),
      toEntry({ kind: 'key', operation: 'add', use: 'doc', fingerprint, time }),
    ])
  })
}

/** When it was begun, in milliseconds since 1970-01-01 UTC; undefined before that. */
export async function findBeginning(db: Db): Promise<number | undefined> {
  const [first] = await listEntries(db, 0, 1)
  return first && parseStatement(new TextEncoder().encode(first.entry)).time * 1000
}

/** SHA-256 of the certificate that the log names first, hex; undefined before it was begun. */
export async function findFirstSigner(db: Db): Promise<string | undefined> {
  const [, first] = await listEntries(db, 0, 2)
  const statement = first && parseStatement(new TextEncoder().encode(first.entry))
  return statement?.kind === 'key' ? Buffer.from(statement.fingerprint, 'base64url').toString('hex') : undefined
}
