import { readFile } from 'node:fs/promises'

/** What keeps a file from being read, for people; anything else is said as the system says it. */
const REASONS: Record<string, string> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EISDIR: 'this is a folder, not a file',
  EACCES: 'it may not be read',
  EPERM: 'it may not be read',
}

/** A file that was named and cannot be read; `message` names it and says why. */
export class UnreadFile extends Error {
  override readonly name = 'UnreadFile'
}

/** @throws UnreadFile */
export async function readNamed(name: string): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return new Uint8Array(await readFile(name))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new UnreadFile(`${name}: ${REASONS[code ?? ''] ?? message}`, { cause: error })
  }
}

/** @throws UnreadFile */
export async function readNamedText(name: string): Promise<string> {
  return new TextDecoder().decode(await readNamed(name))
}
