// Draws the rooms of each package, and who imports from whom, into docs/architecture.md.
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { drawRooms, PICTURE } from './walls/rooms.ts'
import { readSourceTree } from './walls/source-tree.ts'

const root = dirname(import.meta.dirname)
const path = join(root, PICTURE)
writeFileSync(path, drawRooms(readSourceTree(root), readFileSync(path, 'utf8')))
