import { join } from 'node:path'
import type { Plugin, Rollup } from 'vite'
import { PAGES, type Audience } from './src/app/page-list.ts'

const FOR_THE_SIGNED_IN: Audience[] = ['members', 'newcomers']

/** Loaded by every screen, in the order in which they are needed, and what signed-in people need besides. */
const FOR_ALL = ['app/main.tsx', 'app/screens.tsx']
const FOR_MEMBERS = ['app/main.tsx', 'lib/session-calls.ts', 'app/screens.tsx', 'app/member-frame.tsx']

/**
 * Writes down which scripts each address loads first, for someone with a session and for someone without, as the server
 * names them in the page (`http/web-page.ts` of the server): a browser then asks for all of them at once instead of
 * finding one after the other.
 */
export function nameFirstLoads(): Plugin {
  return {
    name: 'name-first-loads',
    apply: 'build',
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
      const list = (files: string[]) => listScripts(chunks, files)
      const known = Object.entries(PAGES).filter(([page]) => page !== 'missing')
      const addresses = known.map(([page, { path, audience }]) => ({
        path,
        guest: list([...FOR_ALL, pageFile(FOR_THE_SIGNED_IN.includes(audience) ? 'login' : page)]),
        member: list([...FOR_MEMBERS, pageFile(audience === 'guests' ? 'dashboard' : page)]),
      }))
      this.emitFile({
        type: 'asset',
        fileName: '.vite/first-loads.json',
        source: JSON.stringify(addresses, null, 1),
      })
    },
  }
}

function pageFile(page: string): string {
  return `app/pages/${page}-page.tsx`
}

/** The scripts that hold these sources, each with what it imports. */
function listScripts(chunks: Rollup.OutputChunk[], sources: string[]): string[] {
  const scripts = new Set<string>()
  const add = (chunk: Rollup.OutputChunk | undefined) => {
    if (!chunk || scripts.has(chunk.fileName)) return
    scripts.add(chunk.fileName)
    for (const name of chunk.imports) add(chunks.find(({ fileName }) => fileName === name))
  }
  for (const source of sources) {
    const id = join(import.meta.dirname, 'src', source)
    const chunk = chunks.find(({ moduleIds }) => moduleIds.includes(id))
    if (!chunk) throw new Error(`No script of the build holds ${source}.`)
    add(chunk)
  }
  return [...scripts]
}
