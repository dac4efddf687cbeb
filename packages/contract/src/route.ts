import type { z } from 'zod'
import type { ErrorCode } from './errors.ts'

/** Where every call lives; routes below are relative to it (specification section 7). */
export const API_BASE = '/backend/api/v1'

/** Header under which a call that makes something is known when it comes again (draft-ietf-httpapi-idempotency-key-header). */
export const IDEMPOTENCY_HEADER = 'Idempotency-Key'

/** One API call, declared once and read by the server, the web client and the API documents. */
export interface Route {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Path under `API_BASE`, `:name` for parameters; answers with and without the trailing slash. */
  path: string
  /** A GET that changes something, as the specification has it: HEAD is then not answered. */
  changesState?: true
  /** One sentence for the API documents. */
  summary: string
  /**
   * 'bearer': an access token is demanded; 'public': none is needed; 'optional': people come with one, visitors without;
   * one that does not hold is refused, so that nobody turns into a visitor unnoticed; 'stale': one that has run out does as
   * well, and the call refuses who has shown nothing.
   */
  access: 'bearer' | 'public' | 'optional' | 'stale'
  /** Whoever is signed in may do it, whatever else they may: rights that end while it is on its way change nothing. */
  isOfOwnAccount?: true
  /** Sent again with the same `Idempotency-Key` it makes nothing more, and is answered as before. */
  isMadeOnce?: true
  params?: z.ZodType
  query?: z.ZodType
  body?: z.ZodType
  /** 'multipart': the body is a form with one file, `body` describes its other fields. */
  upload?: 'multipart'
  /** Shape of the JSON answer; absent when the answer is a file, a stream, or nothing. */
  response?: z.ZodType
  /** Answered also to who has to set up two-factor first: what that takes, and leaving. */
  isOpenBeforeTwoFactor?: true
  /** Refusals repeat `detail` as `error`, which their screens show (specification section 8). */
  saysError?: true
  /** Media types of the answer when it is a file: whole, a range of it, or 304. */
  file?: readonly string[]
  /** Media types of the answer when it is a file that is written while it is sent: always whole. */
  download?: readonly string[]
  /** Media type of an answer that goes on until one side ends it. */
  stream?: 'text/event-stream'
  /** Success status; 200 when absent. */
  status?: number
  /** Other statuses a success may have, with what each means; the shape is the same. */
  otherStatuses?: Readonly<Record<number, string>>
  /**
   * Refusals of its own. Those that follow from its other fields (no token, faulty fields, no such id) and those that
   * any call may meet are not repeated here: `errorsOf` adds them.
   */
  errors?: readonly ErrorCode[]
}

/** A HEAD would begin a stream that nobody reads, or change what a GET changes. */
export function isHeadAnswered({ method, changesState, stream, download }: Route): boolean {
  return method === 'GET' && !changesState && !stream && !download
}

export function route<const R extends Route>(definition: R): R {
  return definition
}

/** What a handler receives for one part of a route, after parsing. */
export type In<R extends Route, K extends 'params' | 'query' | 'body'> =
  NonNullable<R[K]> extends z.ZodType ? z.output<NonNullable<R[K]>> : undefined

/** What a caller may send for one part of a route, before parsing. */
export type Sent<R extends Route, K extends 'params' | 'query' | 'body'> =
  NonNullable<R[K]> extends z.ZodType ? z.input<NonNullable<R[K]>> : undefined

export type Out<R extends Route> =
  NonNullable<R['response']> extends z.ZodType ? z.output<NonNullable<R['response']>> : undefined
