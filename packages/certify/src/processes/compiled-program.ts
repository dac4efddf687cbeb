// As a program: has the program of parsing processes loaded once, with no file at hand, so that those to come find it compiled.
// It is for whoever starts them by the hundred, as the tests do.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ParsingJob } from './messages.ts'

export const PARSING_PROGRAM = fileURLToPath(new URL('parsing-process.ts', import.meta.url))
/** What a parsing process may hold where nothing else is said. */
export const USUAL_MEMORY_BYTES = 1 << 30
const KINDS: readonly ParsingJob['kind'][] = ['inspect', 'prepare', 'build', 'draw', 'verify']

/**
 * The heap is searched for garbage when it has trebled. V8 itself would do that after each second file of 5 MB, which takes three
 * times as long as looking at one; the watch over memory stays.
 */
const LET_HEAP_GROW = '--heap-growing-percent=200'

/** Flags of V8: what was compiled under others is of no use to it. */
export function listHeapFlags(memoryBytes: number): string[] {
  return [`--max-old-space-size=${Math.floor((memoryBytes / (1 << 20)) * 0.75)}`, LET_HEAP_GROW]
}

/** @returns the folder of what was compiled; undefined where nobody did that. */
export function findCompiled(): string | undefined {
  const folder = nameCompiled()
  return folder !== undefined && existsSync(folder) ? folder : undefined
}

/** It lies in the folder in which Node itself keeps what it compiles, when it is told of one. */
function nameCompiled(): string | undefined {
  const { NODE_COMPILE_CACHE: folder } = process.env
  return folder ? join(folder, 'parsing') : undefined
}

if (import.meta.main) {
  const folder = nameCompiled()
  if (folder === undefined) throw new Error('NODE_COMPILE_CACHE names no folder')
  const { status } = spawnSync(process.execPath, [...listHeapFlags(USUAL_MEMORY_BYTES), PARSING_PROGRAM, ...KINDS], {
    stdio: 'inherit',
    env: { ...process.env, NODE_COMPILE_CACHE: folder },
  })
  process.exitCode = status ?? 1
}
