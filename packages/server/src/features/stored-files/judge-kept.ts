import type { Deps } from '../../deps.ts'
import { doEach } from '../../do-each.ts'
import { judgeInTurns } from '../../rounds/judge-in-turns.ts'
import { judgeFile, type FileFault } from './judge-file.ts'
import {
  deleteSpoiled,
  deleteUnkept,
  isKept,
  keepSpoiled,
  listKept,
  type KeptFile,
  type StoredKind,
} from './queries.ts'

const KINDS: readonly StoredKind[] = ['original', 'review_document']

/**
 * Reads the stored originals and review documents one after the other. What is not as it was stored is kept in `spoiled_files`,
 * and told in the log, until it is right again. A kind that cannot be judged now keeps no other from its turn.
 */
export async function judgeKept(deps: Deps): Promise<void> {
  await doEach(KINDS.map((kind) => () => judgeKind(deps, kind)))
}

async function judgeKind(deps: Deps, kind: StoredKind): Promise<void> {
  await judgeInTurns<KeptFile, FileFault>(deps, {
    kind,
    turnMs: 500,
    listAfter: (db, id, most) => listKept(db, kind, id, most),
    judge: (file) => judgeFile(deps.blobs, file),
    keep: async (transaction, judged) => {
      const right = judged.filter(({ told }) => told === undefined)
      await deleteSpoiled(
        transaction,
        right.map(({ file }) => file.key),
      )
      for (const { file, told } of judged) {
        // What was deleted with its row meanwhile is not missing.
        if (told === undefined || !(await isKept(transaction, kind, file))) continue
        const { key, collection_id } = file
        await keepSpoiled(transaction, { key, kind, collection_id, found_at: deps.now(), told })
      }
    },
    // What no row points at any more is nobody's sorrow.
    end: (transaction) => deleteUnkept(transaction, kind),
    tell: (file, told) => tellLog(deps, file, told),
  })
}

export function tellLog({ logger }: Pick<Deps, 'logger'>, file: { collection_id: number }, told: string): void {
  logger.fail('a stored file is not as it was stored: put it back from a backup', new Error(told), {
    collection: file.collection_id,
  })
}
