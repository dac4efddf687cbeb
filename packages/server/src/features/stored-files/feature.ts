import type { Feature } from '../../feature.ts'
import { judgeInTurns } from './judge-in-turns.ts'

export const storedFiles: Feature = {
  name: 'stored-files',
  tables: ['stored_rounds', 'spoiled_files'],
  tend: judgeInTurns,
}
