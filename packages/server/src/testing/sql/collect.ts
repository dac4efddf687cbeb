import { writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { getCallSites } from 'node:util'
import { PostgresQueryCompiler, SqliteQueryCompiler } from 'kysely'
import { STATEMENTS_FOLDER_VARIABLE } from './variables.ts'
import { normaliseSql, type Sent } from './statements.ts'

const SRC = join(import.meta.dirname, '../..')
/** Frames between a query's function and the compiler, and some for those it goes through. */
const FRAMES = 25
/** What tests and changes of the schema send is none of the server's. */
const NOT_THE_SERVERS = /(^|\/)testing(\/|\.ts$)|\.test\.ts$|^db\/migrat/

const sent = new Map<string, Sent>()

function note(engine: Sent['engine'], sql: string): void {
  const sender = findSender()
  if (!sender || NOT_THE_SERVERS.test(sender.file)) return
  const statement: Sent = { ...sender, engine, sql: normaliseSql(sql) }
  sent.set(Object.values(statement).join('\n'), statement)
}

/** The function whose query is being compiled: Kysely compiles before it first waits, so that one is still on the stack. */
function findSender(): Pick<Sent, 'file' | 'sender'> | undefined {
  for (const { scriptName, functionName } of getCallSites(FRAMES)) {
    if (!scriptName.startsWith('file:')) continue
    const file = relative(SRC, fileURLToPath(scriptName))
    if (file.startsWith('..') || file.startsWith('testing/sql/')) continue
    if (functionName !== '') return { file, sender: functionName }
    if (NOT_THE_SERVERS.test(file)) return { file, sender: '' }
  }
  return undefined
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
  process.on('exit', () => writeFileSync(join(folder, `${process.pid}.json`), JSON.stringify([...sent.values()])))
}
