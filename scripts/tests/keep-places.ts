import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'rolldown'

/**
 * Lets what is bundled find its files where its sources lie: programs, threads, pages and native code.
 * @param programs Sources of the programs of this bundle, with their names in it: whoever starts one of them starts it as bundled.
 */
export function keepPlaces(programs: ReadonlyMap<string, string>): Plugin {
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
          .replaceAll(/import\.meta\.(url|filename|dirname)\b/g, (_, what: keyof typeof PLACES) =>
            JSON.stringify(PLACES[what](id)),
          ),
    },
  }
}

const PLACES = {
  url: (path: string) => pathToFileURL(path).href,
  filename: (path: string) => path,
  dirname: (path: string) => dirname(path),
}
