/** Where nothing says another one. */
const PORT = '5432'

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
  const { host, port, database } = readAddress(url)
  return name === namePostgres(url) || (port === PORT && name === `the PostgreSQL database ${database} at ${host}`)
}

/** As the driver reads it: parameters go before what stands in front of them. */
function readAddress(url: string): { host: string; port: string; database: string } {
  const { hostname, port, pathname, searchParams } = new URL(url)
  return {
    host: searchParams.get('host') ?? hostname,
    port: searchParams.get('port') || port || process.env.PGPORT || PORT,
    database: decodeURIComponent(pathname.slice(1)),
  }
}
