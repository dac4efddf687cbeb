import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import type { MailRecordVerdict } from '@proofdesk/contract/mail-delivery'
import type { JudgedRecord } from './judge-spf.ts'
import { parseTagList } from './tag-list.ts'

/** Compares what is published with the key that signs. @param privateKey PEM. */
export function judgeDkim(records: readonly string[], privateKey: string): JudgedRecord {
  const ours = createPublicKey(createPrivateKey(privateKey))
  const verdict = judge(records, ours)
  const wanted = `v=DKIM1; k=rsa; p=${ours.export({ type: 'spki', format: 'der' }).toString('base64')}`
  return { verdict, found: [...records], text: verdict === 'fits' ? null : wanted }
}

function judge(records: readonly string[], ours: KeyObject): MailRecordVerdict {
  const [only] = records
  if (only === undefined) return 'missing'
  if (records.length > 1) return 'several'
  const tags = parseTagList(only)
  const has = (name: string, value: string) =>
    (tags?.get(name) ?? value)
      .split(':')
      .map((one) => one.trim())
      .some((one) => one === value || (name === 's' && one === '*'))
  // RFC 6376 section 3.6.1: a version comes first, hashes and services are those that are taken.
  const isFirst = !tags?.has('v') || [...tags.keys()][0] === 'v'
  if (!tags || !isFirst || !has('v', 'DKIM1') || !has('k', 'rsa') || !has('h', 'sha256') || !has('s', 'email'))
    return 'malformed'
  const encoded = tags.get('p')?.replace(/\s+/g, '')
  if (encoded === undefined) return 'malformed'
  if (encoded === '') return 'withdrawn'
  const published = readKey(encoded)
  if (!published) return 'malformed'
  if (!published.equals(ours)) return 'other_key'
  return tags.has('t') && has('t', 'y') ? 'test_only' : 'fits'
}

/** Some publish the key in the form of PKCS #1, which verifiers take. */
function readKey(base64: string): KeyObject | undefined {
  const key = Buffer.from(base64, 'base64')
  for (const type of ['spki', 'pkcs1'] as const)
    try {
      return createPublicKey({ key, format: 'der', type })
    } catch {}
  return undefined
}
