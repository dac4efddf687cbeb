// Refuses what breaks the walls between the rooms of this house, and says where to go instead. What one specifier tells
// is the linter's to refuse (walls/import-rules.ts).
import { dirname, resolve } from 'node:path'
import { checkDependencies } from './walls/dependencies.ts'
import { checkEffects } from './walls/effects.ts'
import { checkWork } from './walls/features.ts'
import { checkFloorManifests, checkFloors } from './walls/floors.ts'
import { checkMainThread } from './walls/main-thread.ts'
import { checkMessages } from './walls/messages.ts'
import { checkPicture, checkRoomCircles } from './walls/rooms.ts'
import { checkServerRooms } from './walls/server-rooms.ts'
import { checkShape } from './walls/shape.ts'
import { readSourceTree, type Problem, type Rule } from './walls/source-tree.ts'
import { checkStyles } from './walls/styles.ts'
import { checkSqlHomes, checkTables, checkTransactions } from './walls/tables.ts'
import { checkWords } from './walls/words.ts'

const RULES: Rule[] = [
  checkFloors,
  checkFloorManifests,
  checkServerRooms,
  checkTables,
  checkWork,
  checkSqlHomes,
  checkTransactions,
  checkMainThread,
  checkShape,
  checkRoomCircles,
  checkPicture,
  checkWords,
  checkStyles,
  checkEffects,
  checkMessages,
  checkDependencies,
]

/** @returns one line for each thing that is refused in the project under `root`, and how many files were looked at */
export function checkWalls(root: string): { refused: string[]; fileCount: number } {
  const tree = readSourceTree(root)
  return { refused: RULES.flatMap((rule) => rule(tree)).map(formatProblem), fileCount: tree.files.length }
}

function formatProblem({ path, line, text }: Problem): string {
  return `${path}${line === undefined ? '' : `:${line}`}: ${text}`
}

if (import.meta.main) {
  const { refused, fileCount } = checkWalls(resolve(process.argv[2] ?? dirname(import.meta.dirname)))
  for (const line of refused) console.error(line)
  // A checker that looks at nothing finds nothing wrong.
  if (fileCount === 0) console.error('There is no source file to look at.')
  if (refused.length || fileCount === 0) process.exitCode = 1
}
