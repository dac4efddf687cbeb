import { generateKeyPairSync, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { cosign } from '@proofdesk/proof/log/cosignature'
import { computeKeyId, formatVerifierKey, parseNote, SIGNATURE_TYPE, type NoteSigner } from '@proofdesk/proof/log/note'
import { formatAddCheckpointAnswer, parseAddCheckpoint } from '@proofdesk/proof/log/witness'

/** What a witness of a test does with a request. */
export type WitnessManners = (request: { body: string; reply: ServerResponse; sign: SignAs }) => void | Promise<void>
/** What it would answer if it signed without looking. */
type SignAs = (time?: number) => Promise<string>

/** A witness that misbehaves as a test wants it. */
export interface FakeWitness {
  /** A line for the policy. */
  line: string
  name: string
  /** Bodies it was sent. */
  asked: string[]
  behave: (manners: WitnessManners) => void
}

/** Signs whatever comes, until told otherwise; closed when the test ends. */
export async function startFakeWitness(
  t: { after(end: () => void): unknown },
  name: string,
  now: () => number,
): Promise<FakeWitness> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const raw = new Uint8Array(Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url'))
  const signer: NoteSigner = {
    name,
    keyId: computeKeyId(name, raw, SIGNATURE_TYPE.cosignature),
    sign: async (message) => new Uint8Array(sign(null, message, privateKey)),
  }
  const asked: string[] = []
  let manners: WitnessManners = async ({ reply, sign: signAs }) => void reply.end(await signAs())
  const server = createServer((request, reply) => {
    void text(request).then((body) => {
      asked.push(body)
      const signAs: SignAs = async (time = Math.floor(now() / 1000)) =>
        formatAddCheckpointAnswer([await cosign(parseNote(parseAddCheckpoint(body).note).text, signer, time)])
      return manners({ body, reply, sign: signAs })
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const verifierKey = formatVerifierKey(name, raw, SIGNATURE_TYPE.cosignature)
  return {
    line: `witness ${name.replaceAll(/\W/g, '')} ${verifierKey} http://127.0.0.1:${port}/prefix/`,
    name,
    asked,
    behave: (next) => {
      manners = next
    },
  }
}
