import { Visitor } from 'rolldown/utils'
import type { Problem, Rule, SourceFile, SourceTree } from './source-tree.ts'

const APP = 'packages/server/src/app.ts'

interface ListedFeature {
  folder: string
  /** The value it is. */
  file: SourceFile | undefined
}

/** The features in the order of FEATURES in app.ts, which is their rank. */
export function listFeatures({ files }: SourceTree): ListedFeature[] {
  const app = files.find(({ path }) => path === APP)
  return listElements(app, 'FEATURES').flatMap((name) => {
    const target = app?.imports.find(({ names }) => names.includes(name))?.target
    const folder = /\/features\/([^/]+)\/feature\.ts$/.exec(target ?? '')?.[1]
    return folder === undefined ? [] : [{ folder, file: files.find(({ path }) => path === target) }]
  })
}

/** Which table each feature writes, from the `tables` of its value. */
export function listTableOwners(tree: SourceTree): Map<string, string> {
  return new Map(
    listFeatures(tree).flatMap(({ folder, file }) =>
      listElements(file, 'tables').map((table) => [table, `features/${folder}/`] as const),
    ),
  )
}

/** Work that is asked for is done by one feature. */
export const checkWork: Rule = (tree) => {
  const doers = tree.files.filter(({ path }) => path === APP || path.endsWith('/feature.ts'))
  const done = Map.groupBy(
    doers.flatMap(({ imports }) => imports.flatMap(({ names, target }) => names.map((name) => `${target} ${name}`))),
    (taken) => taken,
  )
  const problems: Problem[] = []
  for (const file of tree.files.filter(({ path, isTest }) => path.startsWith('packages/server/src/') && !isTest)) {
    for (const name of listWork(file)) {
      const { length } = done.get(`${file.path} ${name}`) ?? []
      if (length !== 1)
        problems.push({
          path: file.path,
          text: `${length === 0 ? 'nobody does' : 'several do'} ${name}: name it in the feature.ts of one that does.`,
        })
    }
  }
  return problems
}

/** Names of the kinds of work that a file declares. */
function listWork({ program }: SourceFile): string[] {
  const found: string[] = []
  new Visitor({
    VariableDeclarator({ id, init }) {
      const isWork =
        init?.type === 'CallExpression' && init.callee.type === 'Identifier' && init.callee.name === 'defineWork'
      if (isWork && id.type === 'Identifier') found.push(id.name)
    },
  }).visit(program)
  return found
}

/** Names and strings of the list that a variable or a property of this name holds. */
function listElements(file: SourceFile | undefined, listName: string): string[] {
  const found: string[] = []
  const read = (key: unknown, value: unknown) => {
    const { elements } = value as { elements?: { name?: string; value?: string }[] }
    if ((key as { name?: string }).name !== listName) return
    for (const { name, value: text } of elements ?? []) found.push(name ?? text ?? '')
  }
  if (!file) return found
  new Visitor({
    VariableDeclarator: ({ id, init }) => init && read(id, init),
    Property: ({ key, value }) => read(key, value),
  }).visit(file.program)
  return found
}
