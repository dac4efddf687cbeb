/** Where nothing says another one. */
const PORT = '5432'
const HOST = 'localhost'
/** This machine, as it is spelled in addresses. */
const HERE: ReadonlySet<string> = new Set([HOST, '127.0.0.1', '::1'])

interface Place {
  host: string
  port: string
  database: string
}

/** Host, port and the database's name: the address holds a password. */
export function namePostgres(url: string): string {
  const { host, port, database } = readAddress(url)
  return `the PostgreSQL database ${database} at ${host}:${port}`
}

/**
 * Whether what was written down as the place of an installation is this database.
 * @param name From `namePostgres`, of this version or of one that left the port out: that may have been any, and is taken for
 *   the usual one.
 */
export function isNameOf(name: string, url: string): boolean {
  const named = readName(name)
  const asked = readAddress(url)
  return (
    named !== undefined &&
    named.database === asked.database &&
    named.port === asked.port &&
    toOneHost(named.host) === toOneHost(asked.host)
  )
}

function readName(name: string): Place | undefined {
  const [, database, host, port = PORT] = /^the PostgreSQL database (.*) at (.*?)(?::(\d+))?$/.exec(name) ?? []
  return database === undefined || host === undefined ? undefined : { host: host || HOST, port, database }
}

/** As the driver reads it: parameters go before what stands in front of them, and both before the environment. */
function readAddress(url: string): Place {
  const { hostname, port, pathname, searchParams } = new URL(url)
  return {
    host: searchParams.get('host') || hostname || process.env.PGHOST || HOST,
    port: searchParams.get('port') || port || process.env.PGPORT || PORT,
    database: decodeURIComponent(pathname.slice(1)),
  }
}

/** What an address spells in several ways. Two names of one machine elsewhere are two. */
function toOneHost(host: string): string {
  const bare = host.toLowerCase().replace(/^\[(.*)\]$/, '$1')
  return HERE.has(bare) ? HOST : bare
}
