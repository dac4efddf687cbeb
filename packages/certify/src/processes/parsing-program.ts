import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The program of parsing processes: bundled, where whoever started this one says so, and its sources otherwise. */
export const PARSING_PROGRAM =
  process.env['PROOFDESK_PARSING_PROGRAM'] ?? fileURLToPath(new URL('parsing-process.ts', import.meta.url))
/** What a parsing process may hold where nothing else is said. */
export const USUAL_MEMORY_BYTES = 1 << 30

/**
 * The heap is searched for garbage when it has trebled. V8 itself would do that after each second file of 5 MB, which takes three
 * times as long as looking at one; the watch over memory stays.
 */
const LET_HEAP_GROW = '--heap-growing-percent=200'

/** Flags of V8: what was compiled under others is of no use to it. */
export function listHeapFlags(memoryBytes: number): string[] {
  return [`--max-old-space-size=${Math.floor((memoryBytes / (1 << 20)) * 0.75)}`, LET_HEAP_GROW]
}

/** @returns the folder of what was compiled of a bundled program; of sources it is too many files to be copied for each process. */
export function findCompiled(): string | undefined {
  const folder = nameCompiled(PARSING_PROGRAM)
  return existsSync(folder) ? folder : undefined
}

/** It lies beside the program. */
export const nameCompiled = (program: string): string => join(dirname(program), 'compiled')
