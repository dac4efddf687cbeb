// Brings an SQLite file up to date, as a server does when it starts: `node migrate-process.ts FILE [STATEMENTS]`. With a number it
// is killed after so many statements. Tells how many there were.
import { migrate } from '../db/migrate.ts'
import { openSqlite } from '../db/open.ts'

const [path = '', most = 'Infinity'] = process.argv.slice(2)
let statements = 0
const database = openSqlite(path, undefined, () => {
  statements += 1
  if (statements >= Number(most)) process.kill(process.pid, 'SIGKILL')
})
await migrate(database)
await database.close()
process.stdout.write(String(statements))
