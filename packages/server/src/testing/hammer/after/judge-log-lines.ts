import type { LogLine } from '../instance/node.ts'
import { TROUBLES, type Trouble, type TroubleKind } from '../troubles/trouble.ts'

/** So long after a trouble something may still be told of it: requests have a patience of their own. */
const AFTERMATH_MS = 45_000

type Part = 'database' | 'store' | 'all'

/** By the codes that a logged failure and its causes have. */
const PART_OF_CODE: Record<string, Part> = {
  database_unavailable: 'database',
  storage_unavailable: 'store',
  storage_full: 'store',
  // Mails are files here, too.
  ENOSPC: 'store',
  // A full disk, in the words of the process that writes there.
  build_failed: 'store',
  // Who waits for others waits for what they wait for.
  document_preparing: 'all',
  certifying_unavailable: 'all',
  crowded: 'all',
}

/** Who is stopped in the middle of a transaction holds its locks meanwhile, and others wait for them in vain. */
const OF_THE_DATABASE: readonly TroubleKind[] = [
  'restart PostgreSQL',
  'crash PostgreSQL',
  'stop a node',
  'stop a node for long',
]
const OF_THE_STORE: readonly TroubleKind[] = [
  'S3 is busy',
  'S3 is slow',
  'S3 breaks off',
  'S3 falls silent',
  'fill a disk',
]
const TROUBLES_OF: Record<Part, readonly TroubleKind[]> = {
  database: OF_THE_DATABASE,
  store: OF_THE_STORE,
  all: TROUBLES,
}

/** Whoever was stopped finds connections cut and times past; whoever ends lets go of what it does. */
const OF_THE_NODE: readonly TroubleKind[] = ['stop a node', 'stop a node for long', 'end a node']

interface LoggedError {
  code?: string
  cause?: LoggedError
}

/** What a server that could not be started says, which is no JSON. */
const CANNOT_START: [RegExp, Part][] = [
  [/database/i, 'database'],
  [/bucket|storage/i, 'store'],
]

/** @returns the lines of a node's log that none of the troubles explains. */
export function listUnexpected(lines: readonly LogLine[], node: string, troubles: readonly Trouble[]): string[] {
  return lines.filter((line) => !isExplained(line, node, troubles)).map(({ text }) => text)
}

function isExplained({ at, text }: LogLine, node: string, troubles: readonly Trouble[]): boolean {
  const part = findPart(text)
  if (part === undefined) return false
  return troubles.some(({ kind, node: victim, began, ended }) => {
    if (at < began || at > ended + AFTERMATH_MS) return false
    return TROUBLES_OF[part].includes(kind) || (victim === node && OF_THE_NODE.includes(kind))
  })
}

function findPart(text: string): Part | undefined {
  if (!text.startsWith('{')) return CANNOT_START.find(([words]) => words.test(text))?.[1]
  const { error, reason = '' } = JSON.parse(text) as { error?: LoggedError; reason?: string }
  for (let cause = error; cause; cause = cause.cause) {
    const part = PART_OF_CODE[cause.code ?? '']
    if (part) return part
  }
  return PART_OF_CODE[reason]
}
