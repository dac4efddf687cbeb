import { generateKeyPairSync, hash, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { formatInstancePolicy, parseInstancePolicy, type InstancePolicy } from '@proofdesk/proof/instance-policy'
import { formatCheckpoint } from '@proofdesk/proof/log/checkpoint'
import { computeKeyId, formatVerifierKey, signNote, type NoteSigner } from '@proofdesk/proof/log/note'
import { formatStatement, type Statement } from '@proofdesk/proof/log/statements'
import {
  formatStatusPage,
  makeStatusStatement,
  writeStatusBits,
  type StatusPage,
} from '@proofdesk/proof/log/status-page'
import {
  appendLeaves,
  computeRoot,
  formatEntryBundle,
  listPeaks,
  parseEntriesPath,
  proveInclusion,
  type ReadTile,
} from '@proofdesk/proof/log/tiles'
import { hashLeaf } from '@proofdesk/proof/log/tree'

type Bytes = Uint8Array<ArrayBuffer>

/** What is answered in the place of what the log has. */
export type Answer = (request: IncomingMessage, reply: ServerResponse) => void

/** The log of an operator who has its key and writes into it whatever they like. */
export class ForgedLog {
  entries: Bytes[] = []
  readonly policy: InstancePolicy
  readonly policyBytes: Bytes
  /** Seconds since 1970 UTC. */
  time = Math.floor(Date.now() / 1000)
  /** By path, such as `/log/checkpoint`. */
  readonly answers = new Map<string, Answer>()
  /** Paths that were asked for. */
  readonly asked: string[] = []
  private readonly signer: NoteSigner
  private readonly tiles = new Map<string, Bytes>()
  private readonly pages = new Map<number, StatusPage & { index: number }>()
  /** Entries that are in the tiles. */
  private hashed = 0

  readonly origin: string

  constructor(origin = 'forged.example/log') {
    this.origin = origin
    const { publicKey, privateKey } = generateKeyPairSync('ed25519')
    const raw = new Uint8Array(Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url'))
    const keyId = computeKeyId(origin, raw, 1)
    this.signer = { name: origin, keyId, sign: async (message) => new Uint8Array(sign(null, message, privateKey)) }
    const key = formatVerifierKey(origin, raw)
    this.policyBytes = formatInstancePolicy({
      organisation: 'Forged Registry',
      logPolicy: `log ${key}\nquorum none\n`,
      independentWitnesses: [],
      pins: ['0'.repeat(64)],
      statusUrl: null,
    })
    this.policy = parseInstancePolicy(this.policyBytes)
    this.add({ kind: 'genesis', origin: origin, time: this.time })
  }

  /** @returns the place of the entry. */
  add(statement: Statement): number {
    return this.entries.push(formatStatement(statement)) - 1
  }

  approve(): number {
    return this.add({ kind: 'approve', commitment: this.commitment(), time: this.time })
  }

  revoke(ref: number): number {
    return this.add({ kind: 'revoke', commitment: this.commitment(), ref, time: this.time })
  }

  /** Puts a page into the log, and serves it as the first. @param size That it speaks of; all entries when absent. */
  makePage(revoked: readonly number[], size = this.entries.length, page = 0): number {
    const status = { page, size, time: this.time, bits: writeStatusBits(page, revoked) }
    const index = this.add(makeStatusStatement(status))
    this.pages.set(0, { ...status, index })
    return index
  }

  /** Puts another history in place of the one that was signed. */
  rewrite(entries: readonly Bytes[]): void {
    this.entries = [...entries]
    this.tiles.clear()
    this.pages.clear()
    this.hashed = 0
  }

  /** A signed head of the entries so far, or of the first of them. */
  async signHead(size?: number): Promise<string> {
    await this.grow()
    const root = await computeRoot(size ?? this.hashed, this.readTile)
    return signNote(formatCheckpoint({ origin: this.origin, size: size ?? this.hashed, root }), [this.signer])
  }

  /** A head that its entries do not give. */
  async signClaim({ size, root = new Uint8Array(32) }: { size: number; root?: Bytes }): Promise<string> {
    return signNote(formatCheckpoint({ origin: this.origin, size, root }), [this.signer])
  }

  /** Serves it until the test ends. @returns the address of the instance. */
  async serve(t: { after(end: () => void): unknown }): Promise<string> {
    const server = createServer((request, reply) => {
      const path = request.url ?? ''
      this.asked.push(path)
      const answer = this.answers.get(path)
      if (answer) answer(request, reply)
      else void this.answer(path, reply)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    t.after(() => {
      server.closeAllConnections()
      server.close()
    })
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  /** What the log has at a path. */
  async answer(path: string, reply: ServerResponse): Promise<void> {
    if (path === '/log/checkpoint') reply.end(await this.signHead())
    else if (path.startsWith('/log/tile/entries/')) {
      const { index, width } = parseEntriesPath(path.slice('/log/'.length))
      reply.end(formatEntryBundle(this.entries.slice(index * 256, index * 256 + width)))
    } else if (path === '/log/status/0' && this.pages.has(0)) reply.end(await this.showPage())
    else reply.writeHead(404).end()
  }

  /** The page that was made last, under the newest head. */
  async showPage(): Promise<string> {
    await this.grow()
    const { index, ...status } = this.pages.get(0)!
    const shown = { ...status, peaks: await listPeaks(status.size, this.readTile) }
    const path = await proveInclusion(index, this.hashed, this.readTile)
    const checkpoint = await this.signHead()
    return formatStatusPage(
      { ...shown, later: this.entries.slice(status.size, this.hashed) },
      { index, path, checkpoint },
    )
  }

  private async grow(): Promise<void> {
    const added = this.entries.slice(this.hashed)
    if (added.length === 0) return
    const { tiles, size } = await appendLeaves(this.hashed, added.map(hashLeaf), this.readTile)
    for (const { level, index, data } of tiles) this.tiles.set(`${level}/${index}`, data)
    this.hashed = size
  }

  private readonly readTile: ReadTile = async (level, index, width) =>
    (this.tiles.get(`${level}/${index}`) ?? new Uint8Array()).slice(0, width * 32)

  private commitment(): string {
    return hash('sha256', `commitment ${this.entries.length}`, 'base64url')
  }
}
