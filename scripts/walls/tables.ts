import { Visitor } from 'rolldown/utils'
import { listTableOwners } from './features.ts'
import { findLine, type Problem, type Rule, type SourceFile } from './source-tree.ts'

const SRC = 'packages/server/src/'

/** The platform writes rows of a feature where they follow from what happens. */
const ALSO_WRITTEN: Record<string, string> = { notifications: 'events/', audit_entries: 'audit/' }

/** Tables of the platform; those of a feature stand in its feature.ts. */
const PLATFORM_TABLES: Record<string, string> = {
  outbox: 'outbox/',
  mail_events: 'mail/',
  blob_intents: 'blobs/',
  stored_rounds: 'rounds/',
  instance: 'db/',
  nodes: 'nodes/',
  made_once: 'once/',
  audit_entries: 'events/',
  audit_views: 'events/',
  audit_links: 'audit/',
  collection_counts: 'counts/',
  proof_counts: 'counts/',
  ticket_counts: 'counts/',
  user_counts: 'counts/',
  log_entries: 'log/',
  log_tiles: 'log/',
  log_state: 'log/',
  log_checkpoints: 'log/',
  log_queue: 'log/',
  log_commitments: 'log/',
  log_withdrawn_leaves: 'log/',
  log_cosignatures: 'log/',
  log_status_pages: 'log/',
}

/** Where SQL is written: queries, the conditions of lists, and what knows databases. */
const SQL_HOMES = /(^|\/)(queries|[\w-]+-filter)\.ts$|^db\//

/** SQL has few homes, so that whoever looks for it knows where. */
export const checkSqlHomes: Rule = ({ files }) =>
  files
    .filter(({ path, isTest }) => path.startsWith(SRC) && !isTest && !SQL_HOMES.test(path.slice(SRC.length)))
    .flatMap(({ path, imports }) =>
      imports
        .filter(({ specifier }) => /^kysely(\/|$)/.test(specifier))
        .map(({ line }) => ({
          path,
          line,
          text: 'kysely is used in queries.ts, *-filter.ts and db/ only: move the query there.',
        })),
    )

const WRITES = new Set(['insertInto', 'updateTable', 'deleteFrom', 'replaceInto', 'mergeInto'])
const READS = new Set(['selectFrom'])
const RAW_WRITE = /\b(?:insert\s+into|update|delete\s+from)\s+"?(\w+)"?/gi

/** A table's SQL is read in queries.ts files only, and written only in its owner's. */
export const checkTables: Rule = (tree) => {
  const owners = new Map([...Object.entries(PLATFORM_TABLES), ...listTableOwners(tree)])
  return tree.files
    .filter(({ path, isTest }) => path.startsWith(SRC) && !isTest && !path.startsWith(`${SRC}db/migrations/`))
    .flatMap((file) => listStatements(file, owners).flatMap((statement) => checkStatement(file, statement, owners)))
}

/** Outside `db/` all go through the one function that begins them anew where two stood in each other's way. */
export const checkTransactions: Rule = ({ files }) =>
  files
    .filter(({ path, isTest }) => path.startsWith(SRC) && !isTest && !/^(?:db|testing)\//.test(path.slice(SRC.length)))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/\.transaction\(\)/g)].map(({ index }) => ({
        path,
        line: findLine(text, index),
        text: 'a transaction is opened by inTransaction of db/in-transaction.ts, which repeats it after a deadlock.',
      })),
    )

interface Statement {
  table: string
  writes: boolean
  line: number
}

function checkStatement(file: SourceFile, { table, writes, line }: Statement, owners: Map<string, string>): Problem[] {
  const path = file.path.slice(SRC.length)
  const owner = owners.get(table)
  if (owner === undefined) {
    return [{ path: file.path, line, text: `table "${table}" has no owner: name it in the tables of a feature.ts.` }]
  }
  if (path.startsWith('features/') && !path.endsWith('/queries.ts')) {
    return [
      { path: file.path, line, text: `SQL on "${table}" stands outside queries.ts: give the query a name there.` },
    ]
  }
  const isWriter = path.startsWith(owner) || path.startsWith(ALSO_WRITTEN[table] ?? owner)
  if (writes && !isWriter) {
    const door = owner.startsWith('features/') ? `${owner}queries.ts` : owner
    return [{ path: file.path, line, text: `"${table}" is written only in ${door}: call a named function of it.` }]
  }
  return []
}

function listStatements(file: SourceFile, owners: Map<string, string>): Statement[] {
  const found: Statement[] = []
  const add = (table: string, writes: boolean, start: number) =>
    found.push({ table: table.split(/\s+as\s+/i)[0] ?? table, writes, line: findLine(file.text, start) })
  new Visitor({
    CallExpression({ callee, arguments: [first] }) {
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return
      const method = callee.property.name
      if (!WRITES.has(method) && !READS.has(method)) return
      const tables = first?.type === 'ArrayExpression' ? first.elements : [first]
      for (const table of tables) {
        if (table?.type === 'Literal' && typeof table.value === 'string')
          add(table.value, WRITES.has(method), callee.property.start)
      }
    },
    TaggedTemplateExpression({ tag, quasi }) {
      if (tag.type !== 'Identifier' || tag.name !== 'sql') return
      const text = quasi.quasis.map((part) => part.value.raw).join(' ? ')
      for (const [, table = ''] of text.matchAll(RAW_WRITE)) if (owners.has(table)) add(table, true, quasi.start)
    },
  }).visit(file.program)
  return found
}
