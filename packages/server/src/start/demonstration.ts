import type { Config } from '../config/config.ts'
import { claimFact, findFact } from '../db/instance.ts'
import type { Db } from '../db/open.ts'
import { StartFailure } from '../config/start-failure.ts'

/** Everybody who reads this knows it, so it opens accounts on nobody else's machine. */
export const DEMO_PASSWORD = 'Demo123!'

/** Whether the database is a demonstration, and whose password its people have. */
const FACT = 'demonstration'

/** Remembers that this database is a demonstration; of two fillings at once one wins. @returns whether it did. */
export function claimDemonstration(db: Db, password: string): Promise<boolean> {
  return claimFact(db, FACT, password === DEMO_PASSWORD ? 'known password' : 'own password')
}

/** @throws StartFailure where a demonstration whose password everybody knows could be reached from elsewhere. */
export async function refuseReachableDemonstration(db: Db, config: Config): Promise<void> {
  if (config.isLocalOnly || (await findFact(db, FACT)) !== 'known password') return
  throw new StartFailure(
    'This database is a demonstration whose password everybody knows: it is served on this machine alone (HOST and PUBLIC_URL are loopback addresses, TRUST_PROXY is empty). For any other use begin with an empty one',
  )
}
