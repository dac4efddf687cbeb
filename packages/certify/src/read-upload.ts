import { CertifyError } from './errors.ts'
import { readWhole } from './read-whole.ts'

/** The bytes of a stored upload. @throws CertifyError `file_unreadable`: that is the store's fault, not the file's. */
export function readUpload(path: string): Uint8Array {
  try {
    return readWhole(path)
  } catch (error) {
    throw new CertifyError('file_unreadable', 'the stored upload cannot be read', { cause: error })
  }
}
