import { DatabaseSync } from 'node:sqlite'

/**
 * Writes the database as it is at one moment into a new file, while others read and write it. The thread is away meanwhile.
 * @throws Error for a copy that SQLite itself finds fault with.
 */
export function writeSqliteSnapshot(from: string, to: string): void {
  const source = new DatabaseSync(from, { readOnly: true })
  try {
    source.exec('pragma busy_timeout = 30000')
    source.prepare('vacuum into ?').run(to)
  } finally {
    source.close()
  }
  const copy = new DatabaseSync(to)
  try {
    const told = copy.prepare('pragma integrity_check(5)').all()
    if (told.length !== 1 || told[0]?.['integrity_check'] !== 'ok')
      throw new Error(`the copy of the database is damaged: ${told.map((row) => row['integrity_check']).join('; ')}`)
  } finally {
    copy.close()
  }
}
