import type { RefusalReason } from './types.ts'

/**
 * Why work on a document or a key failed. The list is closed.
 *
 * - `document_refused`: an original cannot go into a certified PDF; `document` and `reason` say which and why
 * - `build_too_slow`, `build_too_much_memory`, `build_failed`: revision 0 was not made; nothing is left at its path
 * - `source_changed`: a file to prepare or to build from is not the one whose SHA-256 was given; `document` says which original
 * - `revision_changed`: the stored revision 0 is not the one whose SHA-256 was given
 * - `seal_failed`: the signature was not made
 * - `keys_incomplete`: a key file is missing while others are there
 * - `keys_unreadable`: a key file cannot be read, or its passphrase is missing or wrong
 * - `keys_foreign`: the files do not belong together, or were not made by this program
 * - `file_unreadable`: an uploaded file cannot be opened; says nothing about its content
 * - `worker_lost`: a worker ended before it answered, twice
 * - `no_process`: a worker could not be started
 * - `crowded`: so much work is waiting that more would wait too long, or the machine was too busy to do it in time
 * - `closed`: the pool was closed
 */
export type CertifyErrorCode =
  | 'document_refused'
  | 'build_too_slow'
  | 'build_too_much_memory'
  | 'build_failed'
  | 'source_changed'
  | 'revision_changed'
  | 'seal_failed'
  | 'keys_incomplete'
  | 'keys_unreadable'
  | 'keys_foreign'
  | 'file_unreadable'
  | 'worker_lost'
  | 'no_process'
  | 'crowded'
  | 'closed'

/** `code` to switch on; `message` is for the log and never carries file content, names or key material. */
export class CertifyError extends Error {
  override readonly name = 'CertifyError'
  readonly code: CertifyErrorCode
  /** Zero-based index of the original, with `document_refused` and `source_changed`. */
  readonly document: number | undefined
  readonly reason: RefusalReason | undefined

  constructor(
    code: CertifyErrorCode,
    message: string,
    options?: ErrorOptions & { document?: number | undefined; reason?: RefusalReason | undefined },
  ) {
    super(message, options)
    this.code = code
    this.document = options?.document
    this.reason = options?.reason
  }
}

/** A file is not fit to be certified. Thrown and caught inside the parsing process. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly reason: RefusalReason

  constructor(reason: RefusalReason, message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}

/** Nothing is wrong with a PDF but that readers show it in different ways: it can still be kept as pictures of its pages. */
export class Disagreement extends Refusal {
  constructor(message: string, options?: ErrorOptions) {
    super('unreadable', message, options)
  }
}
