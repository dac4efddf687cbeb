import { randomUUID } from 'node:crypto'
import { renameSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PostgresQueryCompiler, SqliteQueryCompiler } from 'kysely'
import { STATEMENTS_FOLDER_VARIABLE } from './variables.ts'
import { normaliseSql } from '../../db/normalise-sql.ts'
import type { Sent } from './statements.ts'

const SRC = join(import.meta.dirname, '../..')
/** Frames up to a query's function: mostly, and at most. Each costs, and there are as many as statements. */
const FRAMES = [10, 25]
/** What tests and changes of the schema send is none of the server's. */
const NOT_THE_SERVERS = /(^|\/)testing(\/|\.ts$)|\.test\.ts$|^db\/migrat/

/** By sender and text as it was compiled: tests send the same thousands of times. */
const sent = new Map<string, Sent>()

function note(engine: Sent['engine'], sql: string): void {
  const sender = findSender()
  if (!sender || NOT_THE_SERVERS.test(sender.file)) return
  const key = [engine, sender.file, sender.sender, sql].join('\n')
  if (!sent.has(key)) sent.set(key, { ...sender, engine, sql: normaliseSql(sql) })
}

/** The function whose query is being compiled: Kysely compiles before it first waits, so that one is still on the stack. */
function findSender(): Pick<Sent, 'file' | 'sender'> | undefined {
  for (const most of FRAMES) {
    const frames = readStack(most)
    for (const frame of frames) {
      // What comes now has waited, and is not on the stack.
      if (frame.isAsync()) return undefined
      const file = nameFile(frame.getFileName() ?? '')
      if (file === undefined) continue
      const name = frame.getFunctionName() ?? ''
      if (name !== '') return { file, sender: name }
      if (NOT_THE_SERVERS.test(file)) return { file, sender: '' }
    }
    if (frames.length < most) return undefined
  }
  return undefined
}

/** As Error has it: unlike `getCallSites` it looks nothing up in a frame before it is asked, neither line nor source map. */
function readStack(most: number): NodeJS.CallSite[] {
  const { prepareStackTrace, stackTraceLimit } = Error
  Error.prepareStackTrace = (_error, frames) => frames
  Error.stackTraceLimit = most
  try {
    const holder: { stack?: NodeJS.CallSite[] } = {}
    Error.captureStackTrace(holder)
    return holder.stack ?? []
  } finally {
    Object.assign(Error, { prepareStackTrace, stackTraceLimit })
  }
}

const files = new Map<string, string | undefined>()

/** @returns the path in the server's sources, undefined for what is none of them */
function nameFile(scriptName: string): string | undefined {
  if (!files.has(scriptName)) {
    const file = scriptName.startsWith('file:') ? relative(SRC, fileURLToPath(scriptName)) : '..'
    files.set(scriptName, file.startsWith('..') || file.startsWith('testing/sql/') ? undefined : file)
  }
  return files.get(scriptName)
}

const folder = process.env[STATEMENTS_FOLDER_VARIABLE]
if (folder !== undefined) {
  for (const [engine, { prototype }] of [
    ['sqlite', SqliteQueryCompiler],
    ['postgres', PostgresQueryCompiler],
  ] as const) {
    const compile = prototype.compileQuery
    prototype.compileQuery = function (...given) {
      const compiled = compile.apply(this, given)
      note(engine, compiled.sql)
      return compiled
    }
  }
  // A process number comes again within a long run, and a process may be ended while it writes.
  const path = join(folder, randomUUID())
  process.on('exit', () => {
    writeFileSync(path, JSON.stringify([...sent.values()]))
    renameSync(path, `${path}.json`)
  })
}
