import { Resolver } from 'node:dns/promises'

/** Milliseconds for one question, which is asked twice. */
const PATIENCE = { timeout: 2500, tries: 2 }

/** Asks the name servers of this machine, or the one that is named, such as the domain's own. */
export function openResolver(server?: string): Resolver {
  const resolver = new Resolver(PATIENCE)
  if (server !== undefined) resolver.setServers([server])
  return resolver
}
