import type { Feature } from '../../feature.ts'
import { judgeKept } from './judge-kept.ts'

export const storedFiles: Feature = {
  name: 'stored-files',
  tables: ['spoiled_files'],
  tend: judgeKept,
}
