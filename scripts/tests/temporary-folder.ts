import { accessSync, chmodSync, constants, mkdtempSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** As the system's own: PostgreSQL runs as somebody else, makes its folder there and takes it away. */
const OF_ALL = 0o1777

const IN_MEMORY = '/dev/shm'
/** Of a tmpfs, `statfs(2)`. */
const TMPFS_TYPE = 0x0102_1994
/** What the tests of a stage have stored at once stays far below. */
const ROOM_BYTES = 4 * 2 ** 30

/**
 * A folder for everything a run of tests puts down: in memory where there is room, since nothing of it outlives the run
 * and each commit of each test's database would wait for the disk.
 */
export function makeTemporaryFolder(): string {
  const folder = mkdtempSync(join(hasRoomInMemory() ? IN_MEMORY : tmpdir(), 'proofdesk-tests-'))
  chmodSync(folder, OF_ALL)
  return folder
}

function hasRoomInMemory(): boolean {
  try {
    const { type, bavail, bsize } = statfsSync(IN_MEMORY)
    accessSync(IN_MEMORY, constants.W_OK)
    return type === TMPFS_TYPE && bavail * bsize >= ROOM_BYTES
  } catch {
    // Not every system has it.
    return false
  }
}
