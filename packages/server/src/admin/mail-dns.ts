import { isIP } from 'node:net'
import { parseArgs } from 'node:util'
import { isSoundRecord, type MailRecord } from '@proofdesk/contract/mail-delivery'
import { sayEnglish } from '@proofdesk/contract/messages'
import { readConfig } from '../config/config.ts'
import { lookUpMailRecords } from '../mail/dns/look-up.ts'
import { openResolver } from '../mail/dns/open-resolver.ts'
import { UsageError, type Terminal } from './terminal.ts'

const NAMES: Record<MailRecord['kind'], string> = { spf: 'SPF', dkim: 'DKIM', dmarc: 'DMARC' }

/** Looks up what tells receivers whose our mails are, also while the server runs. @returns whether all of it fits */
export async function checkMailDns(args: string[], terminal: Terminal): Promise<boolean> {
  const server = readServer(args)
  const records = await lookUpMailRecords(readConfig(terminal.environment), openResolver(server))
  for (const { kind, name, found, verdict, publish } of records) {
    terminal.out(`${NAMES[kind]} at ${name}: ${sayEnglish(`mail_dns_${verdict}`)}`)
    for (const text of found) terminal.out(`  There stands: ${text}`)
    if (publish !== null) terminal.out(`  To publish: ${publish}`)
  }
  return records.every(isSoundRecord)
}

function readServer(args: string[]): string | undefined {
  let server
  try {
    server = parseArgs({ args, options: { server: { type: 'string' } } }).values.server
  } catch (error) {
    throw new UsageError(error instanceof Error ? `${error.message.split('. ')[0]}.` : String(error))
  }
  if (server === undefined) return undefined
  const {
    six,
    four = '',
    port = '53',
  } = /^(?:\[(?<six>[^\]]+)\]|(?<four>[^:]+))(?::(?<port>\d{1,5}))?$/.exec(server)?.groups ?? {}
  const isAddress = isIP(server) !== 0 || (six === undefined ? isIP(four) === 4 : isIP(six) === 6)
  if (!isAddress || Number(port) > 65_535) throw new UsageError('--server is an address, such as 192.0.2.1.')
  return server
}
