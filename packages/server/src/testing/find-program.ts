import { existsSync } from 'node:fs'
import { join } from 'node:path'

const SRC = join(import.meta.dirname, '..')

/**
 * A program to start for a test: bundled by the runner of the tests, which spares finding some 1,800 modules, or its source where
 * nobody did that.
 * @param path below `src` of this package
 */
export function findProgram(path: string): string {
  const bundles = process.env['PROOFDESK_TEST_PROGRAMS']
  const bundled = bundles && join(bundles, path.replace(/\.ts$/, '.js').replaceAll('/', '-'))
  return bundled && existsSync(bundled) ? bundled : join(SRC, path)
}
