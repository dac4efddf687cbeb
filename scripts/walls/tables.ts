import { Visitor } from 'rolldown/utils'
import { findLine, type Problem, type Rule, type SourceFile } from './source-tree.ts'

const SRC = 'packages/server/src/'

/** Who writes a table: a feature, through its queries.ts, or a platform folder. */
const OWNERS: Record<string, string> = {
  users: 'features/users/',
  sessions: 'features/sessions/',
  session_tokens: 'features/sessions/',
  known_networks: 'features/sessions/',
  link_tokens: 'features/auth/',
  authenticators: 'features/two-factor/',
  pending_authenticators: 'features/two-factor/',
  used_codes: 'features/two-factor/',
  recovery_codes: 'features/two-factor/',
  challenges: 'features/two-factor/',
  email_changes: 'features/account/',
  provider_uses: 'features/provider-login/',
  provider_entries: 'features/provider-login/',
  identities: 'features/provider-login/',
  pending_identities: 'features/provider-login/',
  notifications: 'features/notifications/',
  collections: 'features/collections/',
  contents: 'features/contents/',
  comments: 'features/comments/',
  saved_reasons: 'features/reviews/',
  proofs: 'features/certificates/',
  outbox: 'outbox/',
  mail_events: 'mail/',
  blob_intents: 'blobs/',
  instance: 'db/',
  tickets: 'features/tickets/',
  ticket_messages: 'features/tickets/',
  ticket_reads: 'features/tickets/',
  visitors: 'features/tickets/',
  visitor_addresses: 'features/tickets/',
  ticket_links: 'features/tickets/',
}

const WRITES = new Set(['insertInto', 'updateTable', 'deleteFrom', 'replaceInto', 'mergeInto'])
const READS = new Set(['selectFrom'])
const RAW_WRITE = /\b(?:insert\s+into|update|delete\s+from)\s+"?(\w+)"?/gi

/** A table's SQL is read in queries.ts files only, and written only in its owner's. */
export const checkTables: Rule = ({ files }) =>
  files
    .filter(({ path, isTest }) => path.startsWith(SRC) && !isTest && !path.startsWith(`${SRC}db/migrations/`))
    .flatMap((file) => listStatements(file).flatMap((statement) => checkStatement(file, statement)))

interface Statement {
  table: string
  writes: boolean
  line: number
}

function checkStatement(file: SourceFile, { table, writes, line }: Statement): Problem[] {
  const path = file.path.slice(SRC.length)
  const owner = OWNERS[table]
  if (owner === undefined) {
    return [
      { path: file.path, line, text: `table "${table}" has no owner: name one in OWNERS of scripts/walls/tables.ts.` },
    ]
  }
  if (path.startsWith('features/') && !path.endsWith('/queries.ts')) {
    return [
      { path: file.path, line, text: `SQL on "${table}" stands outside queries.ts: give the query a name there.` },
    ]
  }
  if (writes && !path.startsWith(owner)) {
    const door = owner.startsWith('features/') ? `${owner}queries.ts` : owner
    return [{ path: file.path, line, text: `"${table}" is written only in ${door}: call a named function of it.` }]
  }
  return []
}

function listStatements(file: SourceFile): Statement[] {
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
      for (const [, table = ''] of text.matchAll(RAW_WRITE))
        if (Object.hasOwn(OWNERS, table)) add(table, true, quasi.start)
    },
  }).visit(file.program)
  return found
}
