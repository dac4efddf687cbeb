import pg from 'pg'
import { ROWS_AT_ONCE, type ReadSide, type WriteSide } from './database-sides.ts'
import type { Row, Value } from './row-digest.ts'
import { CopyFailure, LEFT_OUT, sortByNeeds, type Kind } from './table-shapes.ts'

const KINDS: Record<string, Kind> = { integer: 'number', bigint: 'number', text: 'text', bytea: 'bytes' }
const BIGINT_OID = 20
/** For a connection, in milliseconds. Statements take as long as they take. */
const CONNECT_MS = 10_000

const quote = (name: string) => pg.escapeIdentifier(name)

/** @returns what `work` gives, on a connection of its own. */
export async function withConnection<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const types = new pg.TypeOverrides()
  // Ours are ids and milliseconds, all within 2^53.
  types.setTypeParser(BIGINT_OID, Number)
  const client = new pg.Client({ connectionString: url, types, connectionTimeoutMillis: CONNECT_MS, keepAlive: true })
  // One that breaks between two statements is told by the next.
  client.on('error', () => {})
  await client.connect()
  try {
    // Whatever limits its administrator gave to others.
    await client.query(
      `select set_config(name, '0', false) from pg_settings where name in
       ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'idle_session_timeout',
        'transaction_timeout')`,
    )
    return await work(client)
  } finally {
    await client.end().catch(() => {})
  }
}

/** @param mode What follows `begin`. */
export async function withTransaction<T>(client: pg.Client, mode: string, work: () => Promise<T>): Promise<T> {
  await client.query(`begin ${mode}`)
  try {
    const done = await work()
    await client.query('commit')
    return done
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

/** In a transaction, which decides the moment. */
export function readPostgresSide(client: pg.Client): ReadSide {
  const list = async (text: string, values: unknown[] = []): Promise<Record<string, string>[]> =>
    (await client.query(text, values)).rows
  return {
    steps: async () => (await list('select name from kysely_migration order by name')).map(({ name }) => name ?? ''),
    shapes: async () => {
      const tables = await listTables(client)
      const columns = await list(
        `select table_name as table, column_name as name, data_type as type from information_schema.columns
         where table_schema = current_schema() order by column_name collate "C"`,
      )
      const needs = await list(
        `select distinct conrelid::regclass::text as table, confrelid::regclass::text as needed from pg_constraint
         where contype = 'f' and connamespace = current_schema()::regnamespace`,
      )
      const of = (rows: Record<string, string>[], name: string) => rows.filter(({ table }) => table === name)
      return sortByNeeds(
        tables
          .filter((name) => !LEFT_OUT.has(name))
          .map((name) => ({
            name,
            columns: of(columns, name).map((column) => ({ name: column['name'] ?? '', kind: kindOf(column) })),
            needs: of(needs, name).map(({ needed = '' }) => needed),
          })),
      )
    },
    async *rows({ name, columns }) {
      const names = columns.map((column) => quote(column.name)).join(', ')
      await client.query(`declare copied no scroll cursor for select ${names} from ${quote(name)}`)
      for (;;) {
        const { rows } = await client.query<Row>({ text: `fetch ${ROWS_AT_ONCE} from copied`, rowMode: 'array' })
        if (rows.length === 0) break
        yield rows
      }
      await client.query('close copied')
    },
    lastIds: async () => {
      const found = await list(
        `select t.relname as table, coalesce(s.last_value, 0)::text as last
         from pg_class t join pg_attribute a on a.attrelid = t.oid and a.attidentity <> '' and not a.attisdropped
         join pg_sequences s on s.schemaname = current_schema()
           and format('%I.%I', s.schemaname, s.sequencename) = pg_get_serial_sequence(quote_ident(t.relname), a.attname)
         where t.relnamespace = current_schema()::regnamespace`,
      )
      return new Map(found.map(({ table = '', last }) => [table, Number(last)]))
    },
  }
}

/** All there are, also those that are not copied. */
async function listTables(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class
     where relkind in ('r', 'p') and relnamespace = current_schema()::regnamespace order by relname`,
  )
  return rows.map(({ name }) => name)
}

/** Whether there is any table that no step of this schema made. */
export async function holdsForeignTables(client: pg.Client): Promise<boolean> {
  const tables = await listTables(client)
  return tables.length > 0 && !tables.includes('kysely_migration')
}

function kindOf({ table, name, type = '' }: Record<string, string>): Kind {
  const kind = KINDS[type]
  if (!kind) throw new CopyFailure(`${table}.${name} is of a type that is not known: ${type}`)
  return kind
}

/**
 * Fills a database in which the schema was made, in one transaction that nobody sees a part of. What was in it is gone.
 * @param fill Everything that is written; when it fails, nothing was.
 */
export async function fillPostgres<T>(client: pg.Client, fill: (side: WriteSide) => Promise<T>): Promise<T> {
  return withTransaction(client, '', async () => {
    const tables = (await listTables(client)).filter((name) => !name.startsWith('kysely_')).map(quote)
    // Who reads meanwhile, reads what was there before: that it is being filled.
    await client.query(`lock table ${tables.join(', ')} in exclusive mode`)
    const guards = await listGuards(client)
    for (const { table, name } of guards)
      await client.query(`alter table ${quote(table)} disable trigger ${quote(name)}`)
    await client.query('delete from instance')
    await client.query(`truncate ${tables.filter((table) => table !== quote('instance')).join(', ')}`)
    const filled = await fill({ ...readPostgresSide(client), ...writePostgres(client) })
    for (const { table, name } of guards)
      await client.query(`alter table ${quote(table)} enable trigger ${quote(name)}`)
    return filled
  })
}

/** The triggers that run before a row or a statement. */
async function listGuards(client: pg.Client): Promise<{ table: string; name: string }[]> {
  const BEFORE = 2
  const { rows } = await client.query<{ table: string; name: string }>(
    `select c.relname as table, t.tgname as name from pg_trigger t join pg_class c on c.oid = t.tgrelid
     where not t.tgisinternal and t.tgtype & ${BEFORE} <> 0 and c.relnamespace = current_schema()::regnamespace`,
  )
  return rows
}

function writePostgres(client: pg.Client): Pick<WriteSide, 'write' | 'setLastId' | 'setFact'> {
  return {
    write: async ({ name, columns }, rows) => {
      const names = columns.map((column) => quote(column.name)).join(', ')
      const written = rows.map((row) =>
        Object.fromEntries(columns.map((column, at) => [column.name, toJson(row[at] ?? null)])),
      )
      // The table itself says what each value becomes.
      await client.query(
        `insert into ${quote(name)} (${names})
         select ${names} from json_populate_recordset(null::${quote(name)}, $1::json)`,
        [JSON.stringify(written)],
      )
    },
    setLastId: async (table, id) => {
      const { rows } = await client.query<{ name: string }>(
        `select attname as name from pg_attribute where attrelid = $1::regclass and attidentity <> ''`,
        [quote(table)],
      )
      const column = rows[0]?.name
      if (column === undefined) throw new CopyFailure(`${table} does not count its own ids`)
      await client.query('select setval(pg_get_serial_sequence($1, $2), $3)', [quote(table), column, id])
    },
    setFact: async (name, value) => {
      await client.query('delete from instance where name = $1', [name])
      if (value !== null) await client.query('insert into instance (name, value) values ($1, $2)', [name, value])
    },
  }
}

/** As PostgreSQL reads bytes. */
const toJson = (value: Value) =>
  value instanceof Uint8Array
    ? `\\x${Buffer.from(value.buffer, value.byteOffset, value.length).toString('hex')}`
    : value
