import type { RefusalReason } from '../../types.ts'

/** A file made to harm whoever opens it, and what has to become of it. */
export interface HostileFile {
  /** What it is, in a few words. */
  name: string
  make(): Promise<Uint8Array> | Uint8Array
  fate: Fate
}

/**
 * `refused` with the reason, or with one of them where limits race. `taken`: it is certified; `removed` is what the manifest
 * then lists, and `gone` are words that stand in the file but must not stand in the certified one.
 */
export type Fate = { refused: readonly RefusalReason[] } | { taken: number; removed?: string[]; gone?: string[] }

/** A stream object as text; `data` is Latin-1. */
export const streamOf = (data: string, entries = ''): string =>
  `<< ${entries} /Length ${data.length} >>\nstream\n${data}\nendstream`

export const hostile = (name: string, fate: HostileFile['fate'], make: HostileFile['make']): HostileFile => ({
  name,
  make,
  fate,
})
