import { findSpan } from './span.ts'

/** From quiet to talkative. */
export const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

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

/** @param write Takes one line with its line feed; standard error when absent. */
export function openLogger(level: LogLevel, write: (line: string) => void = writeToStandardError): Logger {
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
    write(`${JSON.stringify(line)}\n`)
  }
  return {
    debug: (event, facts = {}) => say('debug', event, facts),
    info: (event, facts = {}) => say('info', event, facts),
    warn: (event, facts = {}) => say('warn', event, facts),
    fail: (event, error, facts = {}) => say('error', event, facts, describeError(error)),
  }
}

let unwritten = ''

/** Writing to a pipe holds up the thread that serves: what many say in one turn of it is written at its end, at once. */
function writeToStandardError(line: string): void {
  if (unwritten === '') {
    setImmediate(writeOut)
    // Also what is said last, whatever ends the process but a signal that nothing survives.
    process.off('exit', writeOut).once('exit', writeOut)
  }
  unwritten += line
}

function writeOut(): void {
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
