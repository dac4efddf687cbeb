import { join } from 'node:path'
import type { Plugin, Rollup } from 'vite'

/** Who meets a screen: the others are led to the page of signing in, or to the dashboard. */
type Audience = 'everyone' | 'guests' | 'members'

/** The page behind each address of `app/app.tsx`. One that is missing here opens as well, only later. */
const PAGES: Record<string, [page: string, audience: Audience]> = {
  '/': ['landing', 'everyone'],
  '/service-content': ['service-content', 'everyone'],
  '/about': ['about', 'everyone'],
  '/contact': ['contact', 'everyone'],
  '/privacy': ['privacy', 'everyone'],
  '/terms': ['terms', 'everyone'],
  '/api': ['api', 'everyone'],
  '/ticket': ['tickets', 'everyone'],
  '/ticket/open/:token': ['ticket-link', 'everyone'],
  '/verify-email/:token': ['verify-email', 'everyone'],
  '/setup/:token': ['setup', 'everyone'],
  '/reset-password/:token': ['reset-password', 'everyone'],
  '/login': ['login', 'guests'],
  '/register': ['register', 'guests'],
  '/dashboard': ['dashboard', 'members'],
  '/profile': ['profile', 'members'],
  '/2fa-setup': ['two-factor-setup', 'members'],
  '/collection': ['collections', 'members'],
  '/content/:id': ['collection-detail', 'members'],
  '/server-content': ['server-content', 'members'],
  '/users': ['users', 'members'],
  '/mail': ['mail', 'members'],
}

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
      const addresses = Object.entries(PAGES).map(([path, [page, audience]]) => ({
        path,
        guest: list([...FOR_ALL, pageFile(audience === 'members' ? 'login' : page)]),
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
