import { readdirSync, statSync } from 'node:fs'
import { basename, join, relative, resolve } from 'node:path'

/** A folder of PDFs under the name that the report gives it. */
export interface Collection {
  name: string
  /** Absolute. */
  folder: string
  /** Paths below the folder, sorted. */
  files: string[]
}

/**
 * Every file below the folder whose name ends in `.pdf`, in any case.
 * @param word A folder, or `NAME=FOLDER`; without a name the folder's own is taken.
 */
export function readCollection(word: string): Collection {
  const cut = word.indexOf('=')
  const folder = resolve(cut < 0 ? word : word.slice(cut + 1))
  const name = cut < 0 ? basename(folder) : word.slice(0, cut)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => join(folder, path))
    .filter((path) => /\.pdf$/i.test(path) && statSync(path).isFile())
    .map((path) => relative(folder, path))
  return { name, folder, files: files.sort() }
}
