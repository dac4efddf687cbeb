import { dirname, join } from 'node:path'
import type { Plugin } from 'rolldown'

/** Writes an expression for the address of a source or a folder, as a string. */
export type PlaceWriter = (path: string) => string

/**
 * Lets what is bundled find its files where its sources lie: programs, threads, pages and native code.
 * @param programs Sources of the programs of this bundle, with their names in it: whoever starts one of them starts it as bundled.
 */
export function keepPlaces(programs: ReadonlyMap<string, string>, writePlace: PlaceWriter): Plugin {
  const places: Record<string, (id: string) => string> = {
    url: writePlace,
    filename: (id) => toPath(writePlace(id)),
    dirname: (id) => toPath(writePlace(dirname(id))),
  }
  return {
    name: 'keep-places',
    transform: {
      filter: { code: /import\.meta/ },
      handler: (code, id) =>
        code
          .replaceAll(/new URL\('([\w-]+\.ts)', import\.meta\.url\)/g, (sources, file: string) => {
            const name = programs.get(join(dirname(id), file))
            // In brackets the next step leaves it as it is.
            return name === undefined ? sources : `new URL('${name}.js', import.meta['url'])`
          })
          .replaceAll(/import\.meta\.(url|filename|dirname)\b/g, (words, what: string) => places[what]?.(id) ?? words),
    },
  }
}

/** Bundled modules have no imports of their own to add one to. */
const toPath = (address: string): string => `process.getBuiltinModule('node:url').fileURLToPath(${address})`
