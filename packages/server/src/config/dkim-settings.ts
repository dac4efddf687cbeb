import { createPrivateKey } from 'node:crypto'
import { z } from 'zod'

/** What mails are signed with (RFC 6376). */
export interface DkimSigning {
  domain: string
  /** Names the key's record: `{selector}._domainkey.{domain}`. */
  selector: string
  /** PEM of a private RSA key, as the mail library takes it. */
  privateKey: string
}

/** Verifiers need not take longer ones, and should take no shorter ones (RFC 8301 section 3.2). */
const KEY_BITS = { least: 2048, most: 4096 }

const LABEL = '[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?'

const DkimDomain = z
  .string()
  .max(200)
  .transform((text) => text.toLowerCase())
  .refine((text) => RegExp(`^${LABEL}(?:\\.${LABEL})+$`).test(text))

const DkimSelector = z
  .string()
  .max(63)
  .transform((text) => text.toLowerCase())
  .refine((text) => RegExp(`^${LABEL}(?:\\.${LABEL})*$`).test(text))

/** RSA alone: the mail library signs with nothing else. */
const DkimKey = z.string().refine((pem) => {
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = createPrivateKey(pem)
    const bits = asymmetricKeyDetails?.modulusLength ?? 0
    return asymmetricKeyType === 'rsa' && bits >= KEY_BITS.least && bits <= KEY_BITS.most
  } catch {
    return false
  }
})

type ReadText = (
  name: string,
  schema: z.ZodType<string | undefined>,
  expected: string,
  fallback: undefined,
) => string | undefined

/** All three settings or none. @param refuse Makes the error that names one that is missing. */
export function readDkim(read: ReadText, refuse: (message: string) => Error): DkimSigning | undefined {
  const domain = read('DKIM_DOMAIN', DkimDomain, 'a domain such as example.org is expected', undefined)
  const selector = read('DKIM_SELECTOR', DkimSelector, 'a name such as proofdesk2027 is expected', undefined)
  const expected = 'a private RSA key of 2048 to 4096 bits, as PEM without passphrase, is expected'
  const privateKey = read('DKIM_KEY', DkimKey, expected, undefined)
  if (domain !== undefined && selector !== undefined && privateKey !== undefined)
    return { domain, selector, privateKey }
  const given = Object.entries({ DKIM_DOMAIN: domain, DKIM_SELECTOR: selector, DKIM_KEY: privateKey })
  if (given.every(([, value]) => value === undefined)) return undefined
  const missing = given.find(([, value]) => value === undefined)?.[0]
  throw refuse(`${missing} is missing: DKIM_DOMAIN, DKIM_SELECTOR and DKIM_KEY are needed together`)
}
