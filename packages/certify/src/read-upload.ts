import { readFile } from 'node:fs/promises'
import { CertifyError } from './errors.ts'

/** The bytes of a stored upload. @throws CertifyError `file_unreadable`: that is the store's fault, not the file's. */
export async function readUpload(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path)
  } catch (error) {
    throw new CertifyError('file_unreadable', 'the stored upload cannot be read', { cause: error })
  }
}
