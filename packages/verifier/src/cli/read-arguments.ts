import { parseArgs } from 'node:util'

export const USAGE = `Usage: npm run verify -- FILE … --policy POLICY [--at TIME] [--status PAGE | --online] [--strict] [--json]
       npm run verify -- --paper TEXT --policy POLICY [--at TIME] [--json]
       npm run verify -- --receipt FILE --policy POLICY
       npm run verify -- --log ADDRESS --policy POLICY [--remember FILE] [--strict] [--json]

Judges certified PDFs, and the codes of printed ones, by themselves, without a network unless told to.
  --paper   what a printed code says: its address, or the letters behind #, as any QR reader gives them
  --receipt a receipt that an instance has signed: what it found of a document, and when; read alone
  --log     the address of an instance, whose whole log is read and worked out again, with all that it says is revoked
  --remember  a file for the head of the log: this time's is put there, and must continue the one of last time
  --policy  the policy file of the organisation (proofdesk-policy.json)
  --at      judge for this time, such as 2030-01-01T00:00:00Z; now when absent
  --status  a page of revocations that the organisation gave you
  --online  ask the address in the policy for that page; nobody learns for which file
  --strict  a document of which it is not known whether it was revoked, whose time does not fit, or of which not all is shown, ends with 10;
            so does a log with remarks
  --json    one JSON object for each file, one on a line

Ends with 0 valid, 2 not asked rightly, 3 unavailable, 4 not found, 5 altered, 6 revoked, 7 expired, 8 made by a newer
version, 9 not yet approved at the time of --at, 10 valid, but in doubt (with --strict); of several files with that of the first that is not valid.
Of a log: 0 it adds up, 3 it could not be read, 4 another log, 5 it contradicts itself or what was remembered, 8 it has entries of a newer version.`

/** Which log is to be read. */
export interface LogRequest {
  /** Below which its checkpoint is; without a slash at its end. */
  address: string
  /** File of the head that was seen last. */
  remember: string | undefined
}

/** What the command was asked. */
export interface VerifyRequest {
  files: string[]
  /** Text of a printed code. */
  paper: string | undefined
  /** File of a signed receipt. */
  receipt: string | undefined
  /** A whole log. */
  log: LogRequest | undefined
  policy: string
  /** Milliseconds since 1970 UTC; undefined for now. */
  at: number | undefined
  status: string | undefined
  /** Whether the organisation may be asked for it. */
  isOnline: boolean
  /** Whether doubts about a valid document count. */
  isStrict: boolean
  isJson: boolean
}

/** The command was asked in a way that cannot be answered; `message` is for people. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/

/** @returns undefined when help was asked for. @throws UsageError */
export function readArguments(args: string[]): VerifyRequest | undefined {
  const { values, positionals: files } = parse(args)
  if (values.help) return undefined
  const { receipt, log } = values
  if (files.length === 0 && [values.paper, receipt, log].every((given) => given === undefined))
    throw new UsageError('Which file?')
  if (log === undefined && values.remember !== undefined) throw new UsageError('--remember goes with --log.')
  if (values.remember === '') throw new UsageError('--remember takes the name of a file.')
  if (log !== undefined) refuseBesideLog(files, values)
  else if (receipt !== undefined) refuseBeside(files, values)
  else if (files.length === 0) refuseOfPaper(values)
  if (values.policy === undefined) throw new UsageError('Whose policy? Name its file with --policy.')
  if (values.online && values.status !== undefined) throw new UsageError('Either --status or --online.')
  return {
    files,
    paper: values.paper,
    receipt,
    log: log === undefined ? undefined : { address: readLogAddress(log), remember: values.remember },
    policy: values.policy,
    at: values.at === undefined ? undefined : readTime(values.at),
    status: values.status,
    isOnline: values.online ?? false,
    isStrict: values.strict ?? false,
    isJson: values.json ?? false,
  }
}

/** A receipt may be about another document than a file beside it, and answers for its own time. @throws UsageError */
function refuseBeside(
  files: string[],
  { paper, at, status, online, strict, json }: ReturnType<typeof parse>['values'],
): void {
  if (files.length === 0 && [paper, at, status, online, strict, json].every((given) => given === undefined)) return
  throw new UsageError(
    'A receipt is read alone: --receipt goes with --policy and nothing else. It names its document by SHA-256: compare that with the file’s.',
  )
}

/** A log is read as it is now. @throws UsageError */
function refuseBesideLog(
  files: string[],
  { paper, receipt, at, status, online }: ReturnType<typeof parse>['values'],
): void {
  if (files.length === 0 && [paper, receipt, at, status, online].every((given) => given === undefined)) return
  throw new UsageError('A log is read alone: --log goes with --policy, --remember, --strict and --json.')
}

/** @returns the address of the log, where that of its instance may be given. @throws UsageError */
function readLogAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isPlain = url && /^https?:$/.test(url.protocol) && url.username + url.password + url.search + url.hash === ''
  if (!isPlain)
    throw new UsageError(`--log takes the address of an instance, such as https://proof.example, not ${text}`)
  const address = `${url.origin}${url.pathname.replace(/\/+$/, '')}`
  return address.endsWith('/log') ? address : `${address}/log`
}

/** What would be left out silently: paper does not say which entry of the log it is. @throws UsageError */
function refuseOfPaper({ status, online, strict }: ReturnType<typeof parse>['values']): void {
  if ([status, online, strict].every((given) => given === undefined)) return
  throw new UsageError(
    'A printed code does not tell where its approval stands in the log: --status, --online and --strict go with a file.',
  )
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        paper: { type: 'string' },
        receipt: { type: 'string' },
        log: { type: 'string' },
        remember: { type: 'string' },
        policy: { type: 'string' },
        at: { type: 'string' },
        status: { type: 'string' },
        online: { type: 'boolean' },
        strict: { type: 'boolean' },
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

function readTime(text: string): number {
  const time = TIME.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(time) || !isDay(text.slice(0, 10)))
    throw new UsageError(`--at takes a time with its zone, such as 2030-01-01T00:00:00Z, not ${text}`)
  return time
}

/** Of a day that no month has, such as 30 February, `Date` makes one of the next month. */
const isDay = (day: string): boolean => new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)
