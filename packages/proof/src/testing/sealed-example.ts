import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readLatin1, writeLatin1 } from '../bytes.ts'
import { scanRevision0 } from '../pdf-layout/scan.ts'
import { verifySeal } from '../verify-seal.ts'
import { issueCertificate, pin } from './certificates.ts'
import { sealRevision0, type SealRequest } from './sign-seal.ts'
import { makeRevision0 } from './write-revision0.ts'

/** An honest sealed file, made once, and how it was made. */
export const authority = issueCertificate({ name: 'Authority', isAuthority: true })
export const signer = issueCertificate({ name: 'Signer', issuer: authority, serial: 2 })
export const request: SealRequest = { signer, chain: [authority], signedAt: 'D:20260102030405Z' }
export const pins = [pin(authority)]
export const PROOF = writeLatin1('c2sp.org/tlog-proof@v1\nexample\n')

export const revision0 = makeRevision0()
export const facts = scanRevision0(revision0)
export const sealed = sealRevision0(revision0, { ...request, proof: PROOF })
export const sealedText = readLatin1(sealed)

/** Page content that nobody approved. */
export const FORGED = 'BT /F1 24 Tf 40 120 Td (Forged) Tj ET'

export type Attack = [name: string, code: string, make: () => Uint8Array<ArrayBuffer>]

/** One test for a group of attacks: each file is refused, and by the code that names what is wrong with it. */
export function testAttacks(title: string, attacks: readonly Attack[]): void {
  test(title, async (t) => {
    for (const [what, code, make] of attacks) {
      await t.test(what, async () => {
        const file = make()
        assert.notDeepEqual(file, sealed)
        await assert.rejects(verifySeal(file, { pins }), { name: 'ProofError', code })
      })
    }
  })
}
