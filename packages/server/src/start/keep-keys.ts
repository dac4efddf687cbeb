import type { Config } from '../config/config.ts'
import type { Db } from '../db/open.ts'
import { keepLogKey } from '../log/keep-log-key.ts'
import { keepPaperKey } from '../secrets/keep-paper-key.ts'
import { keepSecretKey } from '../secrets/keep-secret-key.ts'
import { keepIssuingKeys } from './keep-issuing-keys.ts'
import type { ServerParts } from './server.ts'

export type Keys = Pick<ServerParts, 'signerFingerprint' | 'secrets' | 'logKey' | 'paperKey'>

/** All keys of an installation: made where it never had them, and demanded ever after. @throws StartFailure */
export async function keepKeys(db: Db, config: Config): Promise<Keys> {
  return {
    signerFingerprint: await keepIssuingKeys(db, config),
    secrets: await keepSecretKey(db, config),
    logKey: await keepLogKey(db, config),
    paperKey: await keepPaperKey(db, config),
  }
}
