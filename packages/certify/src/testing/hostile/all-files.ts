import { ACTIVE } from './active.ts'
import { BOMBS } from './bombs.ts'
import type { HostileFile } from './hostile-file.ts'
import { IMAGES } from './images.ts'
import { LOOPS } from './loops.ts'
import { NESTING } from './nesting.ts'
import { POLYGLOTS } from './polyglots.ts'

/** Every hostile file by what it tries. */
export const HOSTILE_FILES: Readonly<Record<string, readonly HostileFile[]>> = {
  bombs: BOMBS,
  loops: LOOPS,
  nesting: NESTING,
  active: ACTIVE,
  polyglots: POLYGLOTS,
  images: IMAGES,
}
