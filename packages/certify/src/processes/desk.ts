import { randomBytes } from 'node:crypto'
import { constants, cpSync, rmSync } from 'node:fs'
import { copyFile, link, mkdir, open, readdir, rename, rm, unlink, utimes } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ParsingJob } from './messages.ts'
import { PARSING_PROGRAM } from './parsing-program.ts'

const TOUCH_EVERY_MS = 60 * 60 * 1000

/**
 * The folder of one parsing process, and all of the disk that it sees beside the program: files of its job lie in `in`, what
 * it builds goes to `out`.
 */
export interface Desk {
  /** Flags of Node's permission model for the process. */
  readonly permissions: readonly string[]
  /** Where the process finds the program compiled, for `NODE_COMPILE_CACHE`; undefined where nobody has compiled it before. */
  readonly compiled: string | undefined
  /** Puts the files of a job there. @returns the job as the process has to know it. */
  place(job: ParsingJob): Promise<ParsingJob>
  /** Takes what was built to its place. Its bytes are on the disk; its name is not, since a store will give it another. @throws when the disk does not want it. */
  collect(job: ParsingJob): Promise<void>
  /** Leaves nothing of a job behind. */
  clear(): Promise<void>
  remove(): Promise<void>
}

/**
 * @param workDir On the disk of the originals, so that they need not be copied. Made when it is not there.
 * @param compiledBefore The program as Node has compiled it, which no parsing process may change: each gets a copy.
 */
export function openDesk(workDir: string, compiledBefore?: string): Desk {
  const folder = join(resolve(workDir), `desk-${randomBytes(16).toString('hex')}`)
  const incoming = join(folder, 'in')
  const outgoing = join(folder, 'out')
  const built = join(outgoing, 'built')
  let compiled = compiledBefore === undefined ? undefined : copyCompiled(compiledBefore, join(folder, 'compiled'))

  const placed: string[] = []
  let touchedAt = 0

  /** Folders of this kind that nobody has touched for long are swept. */
  async function touch(): Promise<void> {
    for (const path of [incoming, outgoing]) {
      await mkdir(path, { recursive: true, mode: 0o700 }).catch(() => undefined)
    }
    const now = new Date()
    await utimes(folder, now, now).catch(() => undefined)
    touchedAt = now.getTime()
  }

  async function placeFile(path: string, index: number): Promise<string> {
    const place = join(incoming, String(index))
    placed.push(place)
    try {
      await link(path, place)
    } catch {
      // another disk, or one without links; what cannot be read at all is missing, and the process says so
      await copyFile(path, place, constants.COPYFILE_EXCL).catch(() => undefined)
    }
    return place
  }

  return {
    // a link shares its bytes with the stored original, so the process must not write where links are
    permissions: [
      '--permission',
      // image codecs are native, and a thread watches whether the server still lives
      '--allow-addons',
      '--allow-worker',
      ...[...PROGRAM_FOLDERS, folder].map((path) => `--allow-fs-read=${join(path, '*')}`),
      `--allow-fs-write=${join(outgoing, '*')}`,
      // Node uses what was compiled only where it might also add to it; so this is the process's own, and goes after its first job
      ...(compiled === undefined ? [] : [`--allow-fs-write=${join(compiled, '*')}`]),
    ],
    compiled,
    async place(job) {
      if (Date.now() - touchedAt > TOUCH_EVERY_MS) await touch()
      if (job.kind === 'build') {
        const { reviewDocument } = job.request
        const atDesk = { ...reviewDocument, path: await placeFile(reviewDocument.path, 0) }
        return { ...job, request: { ...job.request, reviewDocument: atDesk, outPath: built } }
      }
      if (job.kind !== 'prepare') return { ...job, path: await placeFile(job.path, 0) }
      const documents = await Promise.all(
        job.request.documents.map(async (document, i) => ({ ...document, path: await placeFile(document.path, i) })),
      )
      return { ...job, request: { ...job.request, documents, outPath: built } }
    },
    async collect(job) {
      if (job.kind !== 'build' && job.kind !== 'prepare') return
      const { outPath } = job.request
      try {
        await rename(built, outPath)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error
        await copyDurably(built, outPath)
      }
    },
    async clear() {
      // What was placed is a file, if it is there at all; what is left in the other folder may be anything.
      const links = placed.splice(0).map((path) => unlink(path).catch(ignoreMissing))
      const left = (await readdir(outgoing)).map((name) => rm(join(outgoing, name), { recursive: true, force: true }))
      const loaded = compiled === undefined ? [] : [rm(compiled, { recursive: true, force: true })]
      compiled = undefined
      await Promise.all([...links, ...left, ...loaded])
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

/** @returns undefined when it cannot be had: then the process compiles for itself. */
function copyCompiled(from: string, to: string): string | undefined {
  try {
    cpSync(from, to, { recursive: true })
    return to
  } catch {
    // On a full disk its room is for what is stored.
    rmSync(to, { recursive: true, force: true })
    return undefined
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}

/** To another disk. */
async function copyDurably(from: string, to: string): Promise<void> {
  const temporary = `${to}.part`
  await copyFile(from, temporary)
  const file = await open(temporary, 'r+')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(temporary, to)
}

/** The packages whose code runs in a parsing process, and what they depend on. */
const PROGRAM_FOLDERS = listProgramFolders()

function listProgramFolders(): string[] {
  const folders = new Set([fileURLToPath(new URL('../..', import.meta.url))])
  folders.add(dirname(PARSING_PROGRAM))
  // its sources lie one folder below its package.json
  folders.add(dirname(dirname(fileURLToPath(import.meta.resolve('@proofdesk/proof/verify-seal')))))
  for (const name of ['sharp', '@libpdf/core']) {
    const path = fileURLToPath(import.meta.resolve(name))
    const end = path.lastIndexOf('node_modules')
    if (end >= 0) folders.add(path.slice(0, end + 'node_modules'.length))
  }
  return [...folders]
}
