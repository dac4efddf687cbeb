import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Deps } from '../deps.ts'
import type { TestServer } from '../testing.ts'

/** The text of every row of every table. SQLite's search index holds none: it is asked by the searches themselves. */
async function readTables({ db, engine }: Pick<Deps, 'db' | 'engine'>): Promise<string> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: false })
  const texts: string[] = []
  for (const { name } of tables) {
    if (engine === 'sqlite' && /_grams(_|$)/.test(name)) continue
    const { rows } = await sql`select * from ${sql.table(name)}`.execute(db)
    texts.push(
      `${name}\n${JSON.stringify(rows, (_, value) => (value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value))}`,
    )
  }
  return texts.join('\n')
}

async function readFiles(folder: string): Promise<string> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true })
  const texts = files
    .filter((file) => file.isFile())
    .map(async (file) => `${file.name}\n${await readFile(join(file.parentPath, file.name), 'latin1')}`)
  return (await Promise.all(texts)).join('\n')
}

/** @returns those of the words that any row, stored file or list in KEYS_DIR holds, whatever their case. */
export async function searchEverything(
  { deps, config }: Pick<TestServer, 'deps' | 'config'>,
  words: readonly string[],
): Promise<string[]> {
  const texts = [await readTables(deps), await readFiles(join(config.dataDir, 'blobs'))]
  texts.push(await readFile(join(config.keysDir, 'erased.list'), 'utf8').catch(() => ''))
  const whole = texts.join('\n').toLowerCase()
  return words.filter((word) => whole.includes(word.toLowerCase()))
}
