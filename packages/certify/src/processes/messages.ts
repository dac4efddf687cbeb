import type {
  BuildRequest,
  BuiltRevision,
  DocumentType,
  InspectLimits,
  Inspection,
  PreparedDocument,
  PrepareRequest,
  VerifyRequest,
} from '../types.ts'
import type { DocumentReport } from '@proofdesk/proof/verify-document'
import type { ErrorData } from '../error-data.ts'

/** What a parsing process is asked to do. */
export type ParsingJob =
  | { kind: 'inspect'; path: string; limits: InspectLimits }
  | { kind: 'prepare'; request: PrepareRequest }
  | { kind: 'build'; request: BuildRequest }
  | { kind: 'draw'; path: string; type: DocumentType }
  | ({ kind: 'verify' } & VerifyRequest)

export type ParsingAnswer =
  | { kind: 'inspected'; inspection: Inspection }
  | { kind: 'prepared'; document: PreparedDocument }
  | { kind: 'built'; revision: BuiltRevision }
  | { kind: 'drawn'; thumbnail: Uint8Array | undefined }
  | { kind: 'verified'; report: DocumentReport }
  | { kind: 'failed'; error: ErrorData }

/** Messages of the process itself: `ready` once, then one answer per job. */
export type ProcessMessage = { kind: 'ready' } | ParsingAnswer
