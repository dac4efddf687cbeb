import { computePaperKeyId } from '@proofdesk/proof/paper/paper-key-id'
import { formatPaperKey } from '@proofdesk/proof/paper/paper-key'
import type { PaperSigner } from '@proofdesk/proof/paper/paper-code'
import type { Config } from '../config/config.ts'
import { findFact } from '../db/instance.ts'
import type { Db } from '../db/open.ts'
import { keepSigningKey } from './keep-signing-key.ts'

const FACT = 'paper_key'

/** What signs the codes on certificates, and receipts. It signs nothing else: whoever steals it can sign no head of the log. */
export interface PaperKey extends PaperSigner {
  /** The public half, as the policy of the instance has it. */
  publicKey: string
}

/**
 * The key for codes on paper: made for an installation that never had one, as at the first start of a version that knows
 * it, and demanded ever after.
 * @throws StartFailure
 */
export async function keepPaperKey(db: Db, config: Config): Promise<PaperKey> {
  const { publicKey, described, sign } = await keepSigningKey(db, config, {
    file: 'paper.key.pem',
    fact: FACT,
    purpose: "signs this database's codes on paper",
    describe: formatPaperKey,
  })
  return { publicKey: described, keyId: computePaperKeyId(publicKey), sign }
}

/** The public half by the database alone, for commands that sign nothing; undefined before the first start that knows it. */
export const findPaperKey = (db: Db): Promise<string | undefined> => findFact(db, FACT)
