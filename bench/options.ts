import { parseArgs } from 'node:util'

export const SUITES = [
  'flat',
  'search',
  'others-wait',
  'staff-list',
  'own-list',
  'on-postgres',
  'verify',
  'sign-in',
  'creates',
  'uploads',
  'proofs',
  'start',
  'nodes',
  'approvals',
  'web',
  'lighthouse',
] as const
export type SuiteName = (typeof SUITES)[number]

/** How much is measured. */
export interface Effort {
  /** Collections of the small and of the large instance. */
  small: number
  large: number
  /** Each contestant is measured so many times, in turn with its rival. */
  rounds: number
  /** How long one measurement lasts, ms. */
  lasts: number
  /** Before the first round, unmeasured, ms. */
  warmsUp: number
  /** Each round of approving. */
  approvals: number
  /** Certified PDFs that are more than the server keeps in memory. */
  strangers: number
  /** About the size of a scan that is uploaded. */
  fileBytes: number
  /** Of a plain document. */
  pages: number
  /** Whether the release bundle is made, which takes minutes. */
  makesBundle: boolean
  /** Whether Lighthouse is asked, which takes a quarter of a minute for each page. */
  asksLighthouse: boolean
}

const FULL_EFFORT: Effort = {
  small: 10_000,
  large: 1_000_000,
  rounds: 5,
  lasts: 3000,
  warmsUp: 1500,
  approvals: 320,
  strangers: 400,
  fileBytes: 5_000_000,
  pages: 600,
  makesBundle: true,
  asksLighthouse: true,
}
/** Shows that everything runs; its figures mean nothing. */
const QUICK_EFFORT: Effort = {
  small: 200,
  large: 400,
  rounds: 1,
  lasts: 150,
  warmsUp: 0,
  approvals: 4,
  strangers: 4,
  fileBytes: 50_000,
  pages: 6,
  makesBundle: false,
  asksLighthouse: false,
}

export type Command =
  | { does: 'help' }
  | { does: 'fill'; collections: number; folder: string; postgresUrl: string | undefined }
  | {
      does: 'measure'
      suites: SuiteName[]
      effort: Effort
      isQuick: boolean
      reportFolder: string | undefined
      largeOnPostgres: FilledOnPostgres | undefined
    }

/** A large instance on PostgreSQL, which takes too long to fill for each run. */
export interface FilledOnPostgres {
  folder: string
  postgresUrl: string
}

export const HELP = `Usage: npm run bench [-- OPTIONS]

Measures the product against named rivals on this machine and writes bench/results/DATE-COMMIT.md.

  --suites a,b          only some of: ${SUITES.join(', ')}
  --large N             collections in the large instance; ${FULL_EFFORT.large} when absent
  --rounds N            measurements of each contestant; ${FULL_EFFORT.rounds} when absent, the median counts
  --report FOLDER       where the report goes
  --quick               hundreds of rows and one short round: shows that everything runs
  --fill N FOLDER       only fills FOLDER, which becomes a DATA_DIR, with N collections
  --postgres URL        with --fill: the tables stand in this empty database instead of in SQLite
  --filled FOLDER       with --postgres: what was filled so before, for the figures of a large instance on PostgreSQL`

const OPTIONS = {
  fill: { type: 'string' },
  filled: { type: 'string' },
  postgres: { type: 'string' },
  suites: { type: 'string' },
  large: { type: 'string' },
  rounds: { type: 'string' },
  report: { type: 'string' },
  quick: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

/** @throws Error with a sentence for whoever typed it. */
export function readCommand(args: string[]): Command {
  const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true })
  if (values.help) return { does: 'help' }
  if (values.fill !== undefined) {
    const [folder, ...others] = positionals
    if (folder === undefined || others.length > 0) throw new Error('--fill takes a number and one folder')
    return { does: 'fill', collections: readNumber('--fill', values.fill, 100), folder, postgresUrl: values.postgres }
  }
  const { filled, postgres } = values
  if ((filled === undefined) !== (postgres === undefined)) throw new Error('--postgres goes with --fill or --filled')
  if (positionals[0] !== undefined) throw new Error(`${positionals[0]} is not known. See: npm run bench -- --help`)
  const isQuick = values.quick ?? false
  const effort = isQuick ? QUICK_EFFORT : FULL_EFFORT
  return {
    does: 'measure',
    suites: values.suites === undefined ? [...SUITES] : values.suites.split(',').map(readSuite),
    effort: {
      ...effort,
      ...(values.large !== undefined && { large: readNumber('--large', values.large, 100) }),
      ...(values.rounds !== undefined && { rounds: readNumber('--rounds', values.rounds, 1) }),
    },
    isQuick,
    reportFolder: values.report,
    largeOnPostgres:
      filled !== undefined && postgres !== undefined ? { folder: filled, postgresUrl: postgres } : undefined,
  }
}

function readSuite(name: string): SuiteName {
  const known = SUITES.find((suite) => suite === name)
  if (!known) throw new Error(`${name} is no suite. There are: ${SUITES.join(', ')}`)
  return known
}

function readNumber(option: string, text: string, min: number): number {
  const number = Number(text.replaceAll('_', ''))
  if (!Number.isSafeInteger(number) || number < min) throw new Error(`${option} takes a whole number from ${min}`)
  return number
}
