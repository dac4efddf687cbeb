import pg from 'pg'
import { FILLED_TABLES, type Row } from './row.ts'
import type { TableWriter } from './table-writer.ts'

/** https://www.postgresql.org/docs/current/catalog-pg-type.html: int8, whose values here are all safe integers. */
const INT8 = 20
const ROWS_AT_ONCE = 2000

export async function openPostgresWriter(url: string): Promise<TableWriter> {
  const types = { getTypeParser: (oid: number) => (oid === INT8 ? Number : pg.types.getTypeParser(oid)) }
  const client = new pg.Client({ connectionString: url, types })
  await client.connect()
  await client.query('set synchronous_commit = off')
  await client.query('begin')
  return {
    read: async (sql) => (await client.query<Row>(sql)).rows,
    insert: async (table, columns, rows) => {
      const names = columns.join(', ')
      const text = `insert into ${table} (${names}) select ${names} from json_populate_recordset(null::${table}, $1)`
      for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
        const batch = rows
          .slice(at, at + ROWS_AT_ONCE)
          .map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index]])))
        await client.query({ name: table, text, values: [JSON.stringify(batch)] })
      }
    },
    run: async (sql) => {
      await client.query(sql)
    },
    finish: async () => {
      const { rows: keyed } = await client.query<{ table_name: string }>(
        `select table_name from information_schema.columns
         where table_schema = current_schema() and column_name = 'id' and table_name = any($1)`,
        [FILLED_TABLES],
      )
      for (const { table_name: table } of keyed)
        await client.query(`select setval(pg_get_serial_sequence($1, 'id'), (select max(id) from ${table}))`, [table])
      await client.query('commit')
      // What its own vacuum would come to do.
      await client.query('vacuum analyze')
    },
    close: () => client.end(),
  }
}
