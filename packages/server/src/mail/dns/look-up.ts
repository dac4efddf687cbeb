import type { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { MailRecord } from '@proofdesk/contract/mail-delivery'
import type { Config } from '../../config/config.ts'
import { isLoopback } from '../../config/is-loopback.ts'
import { judgeDkim } from './judge-dkim.ts'
import { isDmarc, judgeDmarc } from './judge-dmarc.ts'
import { judgeSpf, type JudgedRecord } from './judge-spf.ts'
import { parseTagList } from './tag-list.ts'

export type MailDnsConfig = Pick<Config, 'mailFrom' | 'dkim' | 'smtpUrl' | 'publicUrl'>

/** A string of a TXT record holds so many bytes (RFC 1035 section 3.3). */
const STRING_BYTES = 255
/** What is shown of what others publish. */
const MOST_SHOWN = 10
const SHOWN_LENGTH = 1000

/** Asks for the records that tell receivers whose the mails are, and judges each. */
export async function lookUpMailRecords(config: MailDnsConfig, resolver: Resolver): Promise<MailRecord[]> {
  const domain = config.mailFrom.address.replace(/^.*@/, '').toLowerCase()
  if (isIP(domain) !== 0 || !domain.includes('.') || isLoopback(domain))
    return [{ kind: 'spf', name: domain, found: [], verdict: 'no_domain', publish: null }]
  const [spf, dmarc] = await Promise.all([readTexts(resolver, domain), findDmarc(resolver, domain)])
  return [
    showRecord('spf', domain, spf && judgeSpf(spf, nameSender(config))),
    await lookUpDkim(config, resolver, domain, dmarc),
    showRecord('dmarc', dmarc.name, dmarc.records && judgeDmarc(dmarc.records, dmarc.name !== `_dmarc.${domain}`)),
  ]
}

async function lookUpDkim(
  { dkim }: MailDnsConfig,
  resolver: Resolver,
  domain: string,
  dmarc: FoundDmarc,
): Promise<MailRecord> {
  if (!dkim) return { kind: 'dkim', name: domain, found: [], verdict: 'not_signed', publish: null }
  const name = `${dkim.selector}._domainkey.${dkim.domain}`
  const records = await readTexts(resolver, name)
  const judged = records && judgeDkim(records, dkim.privateKey)
  const isOther = judged?.verdict === 'fits' && !isAligned(dkim.domain, domain, dmarc)
  return showRecord('dkim', name, isOther ? { ...judged, verdict: 'other_domain' } : judged)
}

interface FoundDmarc {
  name: string
  /** Undefined where no name server answered. */
  records: string[] | undefined
}

/** At the sender's domain, else at the nearest domain above it that has one. */
async function findDmarc(resolver: Resolver, domain: string): Promise<FoundDmarc> {
  const labels = domain.split('.')
  for (let at = 0; labels.length - at >= 2; at += 1) {
    const name = `_dmarc.${labels.slice(at).join('.')}`
    const records = await readTexts(resolver, name)
    if (records === undefined || records.some(isDmarc)) return { name, records }
  }
  return { name: `_dmarc.${domain}`, records: [] }
}

/**
 * Whether DMARC counts a signature for the sender (RFC 7489 section 3.1.1): by its own domain, or, unless that is asked for
 * strictly, by one above or below it, or below the domain whose record holds for both.
 */
function isAligned(signing: string, sender: string, dmarc: FoundDmarc): boolean {
  if (signing === sender) return true
  const record = dmarc.records?.find(isDmarc)
  if (record !== undefined && parseTagList(record)?.get('adkim') === 's') return false
  const isBelow = (one: string, other: string) => one === other || one.endsWith(`.${other}`)
  const common = dmarc.name.replace(/^_dmarc\./, '')
  return isBelow(signing, sender) || isBelow(sender, signing) || (record !== undefined && isBelow(signing, common))
}

/** The mechanism of SPF that stands for where mails leave, as far as that is known: the mail server, else this one. */
function nameSender({ smtpUrl, publicUrl }: MailDnsConfig): string {
  const hosts = [smtpUrl, publicUrl].flatMap((url) => (url === undefined ? [] : new URL(url).hostname))
  const host = hosts.find((name) => !isLoopback(name))?.replace(/^\[|\]$/g, '')
  if (host === undefined) return 'mx'
  const family = isIP(host)
  return family === 0 ? `a:${host}` : `ip${family}:${host}`
}

/** @returns undefined where no name server answered. */
async function readTexts(resolver: Resolver, name: string): Promise<string[] | undefined> {
  try {
    const records = await resolver.resolveTxt(name)
    return records.map((strings) => strings.join(''))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return code === 'ENODATA' || code === 'ENOTFOUND' ? [] : undefined
  }
}

function showRecord(kind: MailRecord['kind'], name: string, judged: JudgedRecord | undefined): MailRecord {
  if (!judged) return { kind, name, found: [], verdict: 'silent', publish: null }
  const { verdict, found, text } = judged
  const shown = found.slice(0, MOST_SHOWN).map((one) => one.slice(0, SHOWN_LENGTH).replace(/[^\x20-\x7e]/g, '?'))
  return { kind, name, found: shown, verdict, publish: text === null ? null : writeLine(name, text) }
}

/** As a zone file has it: a name that ends with a dot, and strings that are short enough. */
function writeLine(name: string, text: string): string {
  const strings = text.match(RegExp(`.{1,${STRING_BYTES}}`, 'g')) ?? []
  return `${name}. IN TXT ${strings.map((one) => `"${one.replace(/["\\]/g, '\\$&')}"`).join(' ')}`
}
