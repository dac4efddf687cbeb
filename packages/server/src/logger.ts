import { findSpan } from './span.ts'

/** From quiet to talkative. */
export const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

const WARN = LOG_LEVELS.indexOf('warn')

type Facts = Record<string, string | number | boolean | null | undefined>

/**
 * The log: one JSON object a line. Facts are ids, codes, counts and durations. Names, addresses, tokens, query strings
 * and bodies never go in; `fail` takes them out of an error's words as far as they can be recognised.
 */
export interface Logger {
  debug(event: string, facts?: Facts): void
  info(event: string, facts?: Facts): void
  warn(event: string, facts?: Facts): void
  /** A failure with its cause, for whoever has to mend it. */
  fail(event: string, error: unknown, facts?: Facts): void
}

/** How soon a line must be where it can be read: at the end of this turn, or with those of the next moments. */
type Haste = 'now' | 'soon'

/** @param write Takes one line with its line feed; standard error when absent. */
export function openLogger(
  level: LogLevel,
  write: (line: string, haste: Haste) => void = writeToStandardError,
): Logger {
  const loudest = LOG_LEVELS.indexOf(level)
  const say = (of: LogLevel, event: string, facts: Facts, error?: ErrorFacts) => {
    if (LOG_LEVELS.indexOf(of) > loudest) return
    const span = findSpan()
    const line = {
      time: new Date().toISOString(),
      level: of,
      event,
      ...facts,
      ...(span && { trace_id: span.traceId }),
      ...(error && { error }),
    }
    write(`${JSON.stringify(line)}\n`, LOG_LEVELS.indexOf(of) <= WARN ? 'now' : 'soon')
  }
  return {
    debug: (event, facts = {}) => say('debug', event, facts),
    info: (event, facts = {}) => say('info', event, facts),
    warn: (event, facts = {}) => say('warn', event, facts),
    fail: (event, error, facts = {}) => say('error', event, facts, describeError(error)),
  }
}

/** Nobody who reads along notices it, ms. */
const SOON_MS = 20
/** As much as a pipe takes at once, in characters. */
const HELD_MOST = 60_000

let unwritten = ''
let atEndOfTurn: NodeJS.Immediate | undefined
let soon: NodeJS.Timeout | undefined

/**
 * Writing holds up the thread that serves, and wakes up who reads: a line for each request cost a sixth of a verification. What
 * is said within a moment is written at once, in the order it was said. Only a signal that nothing survives loses that moment.
 */
function writeToStandardError(line: string, haste: Haste): void {
  // Also what is said last, whatever else ends the process.
  if (unwritten === '') process.off('exit', writeOut).once('exit', writeOut)
  unwritten += line
  if (haste === 'now' || unwritten.length > HELD_MOST) atEndOfTurn ??= setImmediate(writeOut)
  else soon ??= setTimeout(writeOut, SOON_MS).unref()
}

function writeOut(): void {
  clearImmediate(atEndOfTurn)
  clearTimeout(soon)
  atEndOfTurn = soon = undefined
  const lines = unwritten
  unwritten = ''
  if (lines !== '') process.stderr.write(lines)
}

interface ErrorFacts {
  name: string
  code?: string
  message: string
  stack?: string[]
  cause?: ErrorFacts
}

const CAUSES_SHOWN = 4

/** What a log may say of an error: its kind, its words without personal data, and where it came from. */
function describeError(error: unknown, depth = 0): ErrorFacts {
  if (!(error instanceof Error)) return { name: typeof error, message: maskPrivate(String(error)) }
  const { code } = error as { code?: unknown }
  const facts: ErrorFacts = { name: error.name, message: maskPrivate(error.message) }
  if (typeof code === 'string') facts.code = maskPrivate(code)
  // Only the frames: the first lines of a stack repeat the message.
  const frames = error.stack?.split('\n').filter((line) => /^\s+at /.test(line))
  if (frames?.length) facts.stack = frames.map((line) => line.trim())
  if (error.cause !== undefined && depth < CAUSES_SHOWN) facts.cause = describeError(error.cause, depth + 1)
  return facts
}

/** E-mail addresses and whatever is as long as a token go; so does all that stands in quotes, where input is quoted. */
export function maskPrivate(text: string): string {
  return text
    .slice(0, 1000)
    .replace(/[^\s@"'<>()]+@[^\s@"'<>()]+/g, '[address]')
    .replace(/[A-Za-z0-9_-]{40,}/g, '[token]')
    .replace(/"[^"]*"/g, '"…"')
}

/** The short name of a failure, fit for a column: a code, else the error's class. Never its words. */
export function nameFailure(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && /^\w{1,60}$/.test(code) ? code : error.name
}
