import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkPlanted, lintPlanted, manifest, type Fault } from './walls/planted-house.ts'

test('a sound house is refused nothing', () => {
  assert.deepEqual(checkPlanted({}), [])
})

const lines = (count: number) => 'export const a = 1\n'.repeat(1) + '// line\n'.repeat(count - 1)
const SERVER = 'packages/server/src'
const WEB = 'packages/web/src'

const FAULTS: Fault[] = [
  {
    name: 'proof with a dependency',
    files: { 'packages/proof/package.json': manifest('@proofdesk/proof', { zod: '4.6.7' }) },
    refused: /zod may not be a dependency here/,
  },
  {
    name: 'contract with a dependency besides zod',
    files: { 'packages/contract/package.json': manifest('@proofdesk/contract', { zod: '4.6.7', kysely: '1.0.0' }) },
    refused: /kysely may not be a dependency here/,
  },
  {
    name: 'a manifest that names a package above',
    files: { 'packages/certify/package.json': manifest('@proofdesk/certify', { '@proofdesk/server': '0.1.0' }) },
    refused: /@proofdesk\/server does not lie below packages\/certify/,
  },
  {
    name: 'a package that another reaches by path',
    files: { [`${WEB}/lib/bad.ts`]: "import '../../../contract/src/errors.ts'\n" },
    refused: /leaves packages\/web: import other packages by name/,
  },
  {
    name: 'a journey that is imported',
    files: {
      'packages/certify/src/bad.ts': "import '../../../e2e/pages.ts'\n",
      'e2e/pages.ts': 'export const a = 1\n',
    },
    refused: /leaves packages\/certify/,
  },
  {
    name: 'a package that is not declared',
    files: { [`${SERVER}/db/bad.ts`]: "import 'left-pad'\n" },
    refused: /left-pad is not among the dependencies/,
  },
  {
    name: 'SQL in a service',
    files: {
      [`${SERVER}/features/users/service.ts`]:
        "import type { RawBuilder } from 'kysely'\nexport type A = RawBuilder<1>\n",
      'packages/server/package.json': manifest('@proofdesk/server', {
        '@proofdesk/contract': '0.1.0',
        '@proofdesk/certify': '0.1.0',
        kysely: '1.0.0',
      }),
    },
    refused: /users\/service\.ts:1: kysely is used in queries\.ts, \*-filter\.ts and db\/ only/,
  },
  {
    name: 'a transaction that no deadlock repeats',
    files: {
      [`${SERVER}/features/users/service.ts`]:
        'export const save = (db: any) =>\n  db.transaction().execute(() => {})\n',
    },
    refused: /users\/service\.ts:2: a transaction is opened by inTransaction/,
  },
  {
    name: 'exports with a wildcard',
    files: { 'packages/certify/package.json': manifest('@proofdesk/certify', {}, { './*': './src/*.ts' }) },
    refused: /exports ".\/\*" has a wildcard/,
  },
  {
    name: 'a feature that imports one to its right',
    files: { [`${SERVER}/features/users/service.ts`]: "import '../auth/service.ts'\n" },
    refused: /users may not import auth/,
  },
  {
    name: 'a feature that imports more of another than service and queries',
    files: {
      [`${SERVER}/features/auth/bad.ts`]: "import '../users/fold-name.ts'\n",
      [`${SERVER}/features/users/fold-name.ts`]: 'export const fold = 1\n',
    },
    refused: /only service\.ts, queries\.ts, events\.ts, work\.ts, limits\.ts and cookies may be imported/,
  },
  {
    name: 'a feature without a rank',
    files: { [`${SERVER}/features/games/service.ts`]: 'export const play = 1\n' },
    refused: /feature "games" has no rank/,
  },
  {
    name: 'work that nobody does',
    files: { [`${SERVER}/features/auth/work.ts`]: "export const callBack = defineWork<{ id: number }>('call_back')\n" },
    refused: /auth\/work\.ts: nobody does callBack/,
  },
  {
    name: 'work that two features do',
    files: {
      [`${SERVER}/features/users/feature.ts`]:
        "import { sendMail } from './work.ts'\nexport const users = { tables: ['users'], work: [does(sendMail, () => {})] }\n",
    },
    refused: /users\/work\.ts: several do sendMail/,
  },
  {
    name: "a table that another feature's queries write",
    files: {
      [`${SERVER}/features/auth/queries.ts`]: "export const bad = (db: any) => db.updateTable('users as u').set({})\n",
    },
    refused: /"users" is written only in features\/users\/queries\.ts/,
  },
  {
    name: 'a table that is written in raw SQL',
    files: {
      [`${SERVER}/features/auth/queries.ts`]:
        'export const bad = (sql: any) => sql`delete from users where id = ${1}`\n',
    },
    refused: /"users" is written only in features\/users\/queries\.ts/,
  },
  {
    name: 'SQL outside queries.ts',
    files: { [`${SERVER}/features/auth/service.ts`]: "export const bad = (db: any) => db.selectFrom('users')\n" },
    refused: /SQL on "users" stands outside queries\.ts/,
  },
  {
    name: 'a table without an owner',
    files: { [`${SERVER}/features/auth/queries.ts`]: "export const bad = (db: any) => db.selectFrom(['games'])\n" },
    refused: /table "games" has no owner/,
  },
  {
    name: 'a PDF library loaded with the pool',
    files: {
      'packages/certify/src/pool.ts': "import './work.ts'\n",
      'packages/certify/src/work.ts': "import 'sharp'\nexport interface Work { pages: number }\n",
    },
    refused: /sharp is loaded into the server's main thread by way of .*pool\.ts > .*work\.ts/,
  },
  {
    name: 'a barrel',
    files: { 'packages/proof/src/everything.ts': "export { leaf } from './merkle.ts'\n" },
    refused: /a file that only passes things on/,
  },
  {
    name: 'a file that passes everything on besides its own',
    files: { 'packages/proof/src/everything.ts': "export * from './merkle.ts'\nexport const own = 1\n" },
    refused: /a file that only passes things on/,
  },
  {
    name: 'rooms of certify that need each other, if only for a type',
    files: {
      'packages/certify/src/hen/feather.ts': "import '../egg/shell.ts'\n",
      'packages/certify/src/egg/shell.ts': 'export const a = 1\n',
      'packages/certify/src/egg/yolk.ts': "import type { B } from '../hen/beak.ts'\nexport type A = B\n",
      'packages/certify/src/hen/beak.ts': 'export type B = 1\n',
    },
    refused: /needs itself by way of another room/,
  },
  {
    name: 'a picture of rooms that are no longer so',
    files: { 'docs/architecture.md': '<!-- rooms: written by scripts/draw-rooms.ts --><!-- end of rooms -->\n' },
    refused: /architecture\.md: its picture of the rooms is not as they are/,
  },
  {
    name: 'JSX that Node would have to run',
    files: { [`${SERVER}/mail/bad.tsx`]: 'export const a = <b />\n' },
    refused: /Node cannot run \.tsx/,
  },
  {
    name: 'a file name that says nothing',
    files: { 'packages/proof/src/utils.ts': 'export const a = 1\n' },
    refused: /does not say what it holds/,
  },
  {
    name: 'words between tags',
    files: { [`${WEB}/ui/bad.tsx`]: 'export const a = (\n  <p>\n    Hello there\n  </p>\n)\n' },
    refused: /"Hello there" is hard-coded/,
  },
  {
    name: 'words chosen between tags',
    files: { [`${WEB}/ui/bad.tsx`]: "export const a = (busy: boolean) => <p>{busy ? 'Loading...' : null}</p>\n" },
    refused: /"Loading\.\.\." is hard-coded/,
  },
  {
    name: 'words in an attribute that is read aloud',
    files: { [`${WEB}/ui/bad.tsx`]: 'export const a = <input placeholder="Search" />\n' },
    refused: /"Search" is hard-coded/,
  },
  {
    name: 'a template of words in an attribute',
    files: { [`${WEB}/ui/bad.tsx`]: 'export const a = (n: number) => <p aria-label={`Page ${n}`} />\n' },
    refused: /"Page" is hard-coded/,
  },
  {
    name: 'an effect that returns what its expression gives',
    files: { [`${WEB}/ui/bad.tsx`]: "useEffect(() => banner.current?.scrollIntoView({ block: 'nearest' }), [])\n" },
    refused: /bad\.tsx:1: useEffect returns what its expression gives/,
  },
  {
    name: 'a layout effect of React’s own name that does',
    files: { [`${WEB}/ui/bad.tsx`]: '\nReact.useLayoutEffect(() => field.focus())\n' },
    refused: /bad\.tsx:2: useLayoutEffect returns/,
  },
  {
    name: 'an effect that returns a promise',
    files: { [`${WEB}/ui/bad.tsx`]: 'useEffect(async () => {\n  await load()\n}, [])\n' },
    refused: /bad\.tsx:1: useEffect returns/,
  },
  {
    name: 'a subscription that returns what its expression gives',
    files: { [`${WEB}/ui/bad.tsx`]: 'useSyncExternalStore((watcher) => store.watch(watcher), read)\n' },
    refused: /bad\.tsx:1: useSyncExternalStore returns/,
  },
  {
    name: 'a utility for one side',
    files: { [`${WEB}/ui/bad.tsx`]: "export const a = <p className={'md:hover:-ml-2 p-2'} />\n" },
    refused: /"md:hover:-ml-2" stands on one side .* use ms- or me-/,
  },
  {
    name: 'a text that is aligned to one side',
    files: { [`${WEB}/ui/bad.tsx`]: 'export const a = <p className="text-left" />\n' },
    refused: /"text-left" stands on one side/,
  },
  {
    name: 'a corner of one side',
    files: { [`${WEB}/ui/bad.ts`]: 'export const a = (b: string) => `${b} rounded-tl-lg`\n' },
    refused: /"rounded-tl-lg" stands on one side/,
  },
  {
    name: 'a style sheet with a side',
    files: { [`${WEB}/app.css`]: '.a {\n  margin-left: 4px;\n}\n' },
    refused: /app\.css:2: "margin-left:" stands on one side/,
  },
  {
    name: 'a colour of the palette',
    files: { [`${WEB}/ui/bad.tsx`]: 'export const a = <p className="dark:bg-red-500/50" />\n' },
    refused: /"dark:bg-red-500\/50" is a colour of its own/,
  },
  {
    name: 'a colour in brackets',
    files: { [`${WEB}/ui/bad.tsx`]: 'export const a = <p className="text-[#ff0000]" />\n' },
    refused: /"text-\[#ff0000\]" is a colour of its own/,
  },
  {
    name: 'an error code without words',
    files: {
      'packages/contract/src/errors.ts':
        'export const STATUS_OF = { not_found: 404, gone: 410 } as const satisfies object\n',
    },
    refused: /code "gone" has no words/,
  },
  {
    name: 'words that nobody says',
    files: {
      'packages/contract/messages/en.json': '{ "not_found": "", "save": "", "role_admin": "", "old_words": "" }',
    },
    refused: /"old_words" is said nowhere/,
  },
  {
    name: 'a dependency without a reason',
    files: {
      'packages/server/package.json': manifest('@proofdesk/server', {
        pg: '1.0.0',
        '@proofdesk/contract': '0.1.0',
        '@proofdesk/certify': '0.1.0',
      }),
    },
    refused: /pg has no reason/,
  },
  {
    name: 'a dependency whose version may move',
    files: { 'packages/contract/package.json': manifest('@proofdesk/contract', { zod: '^4.6.7' }) },
    refused: /zod is "\^4\.6\.7": pin it/,
  },
  {
    name: 'a reason without its dependency',
    files: { 'docs/decisions/dependencies.md': '- `zod` — schemas shared by both sides\n- `gone` — was useful once\n' },
    refused: /gone is no longer a dependency/,
  },
]

for (const { name, files, refused } of FAULTS) {
  test(`refused: ${name}`, () => {
    const found = checkPlanted(files)
    assert.equal(found.filter((line) => refused.test(line)).length, 1, `refused were:\n${found.join('\n')}`)
  })
}

interface Allowed {
  name: string
  files: Record<string, string>
}

const ALLOWED: Allowed[] = [
  {
    name: 'effects with braces, and those whose clean-up is in sight',
    files: {
      [`${WEB}/ui/good.tsx`]:
        'useEffect(() => {\n  scroll()\n})\nuseEffect(() => () => stop(), [])\nuseEffect(follow, [])\nuseEffect(function () {\n  scroll()\n})\n',
    },
  },
  {
    name: 'a web test that starts the real server',
    files: { [`${WEB}/lib/call.test.ts`]: "import '@proofdesk/server/testing'\nimport 'node:fs'\n" },
  },
  {
    name: 'a feature test that looks into another feature and the tables',
    files: {
      [`${SERVER}/features/users/users.test.ts`]:
        "import '../auth/service.ts'\nexport const look = (db: any) => db.updateTable('users')\n",
    },
  },
  {
    name: 'a query that reads a table of another feature',
    files: { [`${SERVER}/features/auth/queries.ts`]: "export const find = (db: any) => db.selectFrom('users as u')\n" },
  },
  {
    name: 'marks, numbers and names that are no words',
    files: {
      [`${WEB}/ui/mark.tsx`]: 'export const a = <p title="x" id="left" className="inset-x-0 start-2">&nbsp;· {1}</p>\n',
    },
  },
  {
    name: 'a file of exactly 450 lines',
    files: { 'packages/proof/src/long.ts': lines(450) },
  },
  {
    name: 'an import that only a comment or a string speaks of',
    files: { 'packages/proof/src/talk.ts': "// import 'node:fs'\nexport const a = \"import 'node:fs'\"\n" },
  },
]

for (const { name, files } of ALLOWED) {
  test(`allowed: ${name}`, () => {
    assert.deepEqual([...checkPlanted(files), ...lintPlanted(files)], [])
  })
}
