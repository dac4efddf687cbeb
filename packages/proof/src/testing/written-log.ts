import { toBase64Url } from '../base64.ts'
import type { Bytes } from '../bytes.ts'
import type { FindingDetails, LogFindingCode } from '../log/whole-log/log-findings.ts'
import { readWholeLog, type LogQuestion, type ServedPage } from '../log/whole-log/read-whole-log.ts'
import { formatStatement, SECONDS_PER_DAY, type Statement } from '../log/statements.ts'
import { makeStatusStatement, writeStatusBits } from '../log/status-page.ts'
import { computeGrownRoot, hashLeaf } from '../log/tree.ts'
import { hashSha256 } from '../sha256.ts'
import { writeUtf8 } from '../utf8.ts'

export const ORIGIN = 'example.org/log'
export const TIME = 20_000 * SECONDS_PER_DAY
export const DAY = TIME / SECONDS_PER_DAY

/** A log that is written statement by statement, and the pages that are served. */
export class WrittenLog {
  readonly entries: Bytes[] = []
  readonly served: Omit<ServedPage, 'checkpoint'>[] = []
  time = TIME

  constructor() {
    this.add({ kind: 'genesis', origin: ORIGIN, time: this.time })
  }

  /** @returns the place of the entry. */
  add(statement: Statement): number {
    return this.addBytes(formatStatement(statement))
  }

  addBytes(entry: Bytes): number {
    return this.entries.push(entry) - 1
  }

  approve(expiryDay?: number): number {
    const commitment = hash(`approval ${this.entries.length}`)
    return this.add({ kind: 'approve', commitment, time: this.time, ...(expiryDay !== undefined && { expiryDay }) })
  }

  change(kind: 'revoke' | 'reinstate', ref: number): number {
    return this.add({ kind, commitment: hash(`change ${this.entries.length}`), ref, time: this.time })
  }

  amend(ref: number, expiryDay?: number): number {
    const commitment = hash(`change ${this.entries.length}`)
    return this.add({ kind: 'amend', commitment, ref, time: this.time, ...(expiryDay !== undefined && { expiryDay }) })
  }

  /** Puts a page into the log with these bits. */
  makePage(revoked: number[], given: { size?: number; page?: number; isServed?: boolean } = {}): number {
    const { size = this.entries.length, page = 0, isServed = false } = given
    const status = { page, size, time: this.time, bits: writeStatusBits(page, revoked) }
    const index = this.add(makeStatusStatement(status))
    if (isServed) this.served.push({ ...status, index })
    return index
  }

  head(size = this.entries.length): { origin: string; size: number; root: Bytes } {
    const leafHashes = this.entries.slice(0, size).map(hashLeaf)
    return { origin: ORIGIN, size, root: computeGrownRoot({ size: 0, peaks: [], leafHashes }) }
  }

  read(given: Partial<LogQuestion> & { entries?: readonly Bytes[] } = {}) {
    const { entries = this.entries, newest = this.head(), ...question } = given
    const log = readWholeLog({
      newest,
      remembered: null,
      pages: this.served.map((page) => ({ ...page, checkpoint: newest })),
      unusable: [],
      isWitnessed: true,
      now: this.time,
      ...question,
    })
    for (const entry of entries) log.add(entry)
    return log.finish()
  }

  /** What was found, each case as its code and the places that it names. */
  find(given: Parameters<WrittenLog['read']>[0] = {}): [code: LogFindingCode, details: FindingDetails][] {
    return this.read(given).findings.flatMap(({ code, cases }) =>
      cases.map((details): [LogFindingCode, FindingDetails] => [code, details]),
    )
  }
}

export const hash = (text: string) => toBase64Url(hashSha256(writeUtf8(text)))

/** Two approvals, of which the second is revoked. */
export function makeLog() {
  const log = new WrittenLog()
  const [one, other] = [log.approve(), log.approve()]
  log.change('revoke', other)
  return { log, one, other }
}
