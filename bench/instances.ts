import { cpSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fillInstance, isFilled, sayMaking } from './fill/fill.ts'
import { readFacts, type FilledFacts } from './fill/filled.ts'
import { makeRealOnes, type RealOptions } from './fill/real-ones.ts'

/** Ignored by git. On the disk that the product would use, and never in memory: creating waits for it. */
const KEPT = join(import.meta.dirname, 'data')
/** So large a scan becomes a certified PDF of about 300 kB. */
const SCAN_BYTES = 245_000
/** Certified files of an instance that is filled. */
export const CERTIFIED = { count: 2, bytes: SCAN_BYTES }

/** A folder that can be served, and what is in it. */
export interface Instance extends FilledFacts {
  folder: string
}

/** Instances that were filled, each made once and kept until the tables or the filling change. */
export interface Instances {
  open(collections: number): Promise<Instance>
  /** For a suite that writes: one of its own. */
  copy(collections: number): Promise<Instance>
  /** Removes what is not to be kept. */
  close(): void
}

/** @param isKept Where false they are made in the temporary folder and go with `close`. */
export function openInstances(
  { isKept, certified }: { isKept: boolean; certified: RealOptions['certified'] },
  say: (line: string) => void,
): Instances {
  const temporary = mkdtempSync(join(isKept ? prepareKept() : tmpdir(), 'proofdesk-bench-'))
  const home = isKept ? KEPT : temporary

  /** What the product made, to be multiplied in copies. */
  let real: Promise<string> | undefined
  async function makeReal(): Promise<string> {
    const folder = join(temporary, 'real')
    await makeRealOnes({ folder, certified })
    return folder
  }

  async function open(collections: number): Promise<Instance> {
    const folder = join(home, `filled-${collections}`)
    if (isFilled(folder) && readFacts(folder).made !== sayMaking()) rmSync(folder, { recursive: true })
    if (!isFilled(folder)) {
      const begin = performance.now()
      const unfinished = mkdtempSync(join(temporary, 'filling-'))
      cpSync(await (real ??= makeReal()), unfinished, { recursive: true })
      await fillInstance({ collections, folder: unfinished })
      rmSync(folder, { recursive: true, force: true })
      renameSync(unfinished, folder)
      say(`filled ${collections} collections in ${((performance.now() - begin) / 1000).toFixed(1)} s`)
    }
    return { folder, ...readFacts(folder) }
  }

  const close = () => rmSync(temporary, { recursive: true, force: true })
  process.once('exit', close)
  return {
    open,
    copy: async (collections) => {
      const { folder, ...facts } = await open(collections)
      const copy = mkdtempSync(join(temporary, 'copy-'))
      cpSync(folder, copy, { recursive: true })
      return { folder: copy, ...facts }
    },
    close,
  }
}

function prepareKept(): string {
  mkdirSync(KEPT, { recursive: true })
  return KEPT
}
