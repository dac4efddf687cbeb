import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { spawnSync } from 'node:child_process'
import { checkWalls } from '../check-walls.ts'

const ROOT = dirname(dirname(import.meta.dirname))

/** A small house in which nothing is wrong: every rule has something to look at. */
const SOUND: Record<string, string> = {
  'package.json': manifest('proofdesk'),
  'docs/decisions/dependencies.md': '- `zod` — schemas shared by both sides\n',
  'packages/proof/package.json': manifest('@proofdesk/proof'),
  'packages/proof/src/merkle.ts': 'export const leaf = 0\n',
  'packages/proof/src/merkle.test.ts': "import 'node:test'\nimport { leaf } from './merkle.ts'\nleaf\n",
  'packages/contract/package.json': manifest('@proofdesk/contract', { zod: '4.6.7', '@proofdesk/proof': '0.1.0' }),
  'packages/contract/messages/en.json': '{ "not_found": "Not found.", "save": "Save", "role_admin": "Admin" }\n',
  'packages/contract/src/errors.ts':
    "import { z } from 'zod'\nexport const STATUS_OF = { not_found: 404 } as const\nz\n",
  'packages/certify/package.json': manifest('@proofdesk/certify', { '@proofdesk/proof': '0.1.0' }),
  'packages/certify/src/pool.ts':
    "import type { Work } from './work.ts'\nexport type { Work }\nexport const openPool = () => new URL('./work.ts', import.meta.url)\n",
  'packages/certify/src/work.ts': 'export interface Work { pages: number }\n',
  'packages/server/package.json': manifest('@proofdesk/server', {
    '@proofdesk/contract': '0.1.0',
    '@proofdesk/certify': '0.1.0',
  }),
  'packages/server/src/app.ts':
    "import { users } from './features/users/feature.ts'\nimport { auth } from './features/auth/feature.ts'\nexport const FEATURES = [users, auth]\n",
  'packages/server/src/db/open.ts': "import { openPool } from '@proofdesk/certify/pool'\nopenPool\n",
  'packages/server/src/features/users/feature.ts':
    "import { userRoutes as routes } from './routes.ts'\nexport const users = { tables: ['users'], routes }\n",
  'packages/server/src/features/users/routes.ts': 'export const userRoutes = 1\n',
  'packages/server/src/features/users/work.ts': "export const sendMail = defineWork<{ id: number }>('mail')\n",
  'packages/server/src/features/auth/feature.ts':
    "import { sendMail } from '../users/work.ts'\nexport const auth = { work: [does(sendMail, () => {})] }\n",
  'packages/server/src/features/users/queries.ts': "export const add = (db: any) => db.insertInto('users')\n",
  'packages/server/src/features/auth/service.ts': "import { add } from '../users/queries.ts'\nadd\n",
  'packages/server/src/secrets/tokens.ts': "import { createHash } from 'node:crypto'\ncreateHash\n",
  'packages/web/package.json': manifest('@proofdesk/web', { '@proofdesk/contract': '0.1.0' }),
  'packages/web/src/app.css': '.sheet { margin-inline-start: 4px; }\n',
  'packages/web/src/app/router.tsx':
    "import { Panel } from '../features/comments/panel.tsx'\nexport const page = <Panel />\n",
  'packages/web/src/features/comments/panel.tsx':
    'import { m } from \'../../lib/words.ts\'\nexport const Panel = () => <b className="ms-2 text-ink" aria-label={m.save()}>{m.not_found()} · 2</b>\n',
  'packages/web/src/lib/words.ts': 'export const m = { save: () => `role_${1}`, not_found: () => 0 }\n',
}

export interface Fault {
  name: string
  files: Record<string, string>
  /** What is said of it, once. */
  refused: RegExp
}

/**
 * Writes the sound house with some files put in or replaced, and checks its walls.
 * @returns the refusals, one line each
 */
export function checkPlanted(faults: Record<string, string>): string[] {
  return inPlanted(faults, (root) => checkWalls(root).refused)
}

/** Which of the linter's rules are walls; the others have opinions on planted files that do not matter here. */
const WALLS_OF_LINT = /\((no-restricted-imports|no-cycle|max-lines|filename-case)\)/

interface Diagnostic {
  code: string
  message: string
  help: string
  filename: string
  labels: { span: { line: number } }[]
}

/** The same by the linter, with its settings as they are. */
export function lintPlanted(faults: Record<string, string>): string[] {
  return inPlanted(faults, (root) => {
    writeFileSync(
      join(root, 'oxlint.config.ts'),
      `export { default } from ${JSON.stringify(join(ROOT, 'oxlint.config.ts'))}\n`,
    )
    const args = [join(ROOT, 'node_modules/oxlint/bin/oxlint'), '--format=json']
    const { stdout } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' })
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: Diagnostic[] }
    return diagnostics
      .filter(({ code }) => WALLS_OF_LINT.test(code))
      .map(({ filename, labels, message, help }) => `${filename}:${labels[0]?.span.line}: ${message} ${help}`)
  })
}

function inPlanted(faults: Record<string, string>, look: (root: string) => string[]): string[] {
  const root = mkdtempSync(join(tmpdir(), 'proofdesk-walls-'))
  try {
    for (const [path, text] of Object.entries({ ...SOUND, ...faults })) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), text)
    }
    return look(root)
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

/** Text of a package.json. Tests of web may use the server. */
export function manifest(
  name: string,
  dependencies: Record<string, string> = {},
  exports: Record<string, string> = {},
): string {
  const devDependencies = name === '@proofdesk/web' ? { '@proofdesk/server': '0.1.0' } : {}
  return JSON.stringify({ name, dependencies, devDependencies, exports })
}
