import { join, relative } from 'node:path'
import { bundlePrograms, nameProgram, PARSING, PARSING_PROCESS, SERVING, writeBundled } from './bundle-programs.ts'

/**
 * Where they lie in a release, each beside what it shares with others. Right below it, since a parsing process that looks for
 * packages may look there, in its own folder and nowhere else.
 */
const FOLDERS = { parsing: 'parsing-programs', serving: 'server-programs' }

/** What the server has to be told to start parsing processes as bundled. */
export const PARSING_PLACE = {
  setting: 'PROOFDESK_PARSING_PROGRAM',
  /** In the release. */
  path: `${FOLDERS.parsing}/${nameProgram(PARSING_PROCESS)}.js`,
}

/** @param source Path of a program's source. @returns where it lies in a release. */
export const findReleased = (source: string): string => `${FOLDERS.serving}/${nameProgram(source)}.js`

/**
 * Bundles what a release starts. Whatever else it needs, such as pages, fonts and native code, it finds where it lies in the
 * release, which may stand anywhere.
 * @param root The project that is bundled. @param release Its folder.
 */
export async function writeReleasePrograms(root: string, release: string): Promise<void> {
  for (const [folder, programs] of [
    [FOLDERS.parsing, PARSING],
    [FOLDERS.serving, SERVING],
  ] as const) {
    const writePlace = (path: string) => {
      const place = relative(join(root, folder), path).split('/').map(encodeURIComponent).join('/')
      return `new URL(${JSON.stringify(place)}, import.meta['url']).href`
    }
    writeBundled(join(release, folder), await bundlePrograms(root, programs, writePlace))
  }
}
