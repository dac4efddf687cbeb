import { areEqual, fromHex, toHex } from '@proofdesk/proof/bytes'
import { ProofError } from '@proofdesk/proof/errors'
import { cosign } from '@proofdesk/proof/log/cosignature'
import { formatNote, openNote, type VerifierKey } from '@proofdesk/proof/log/note'
import { EMPTY_ROOT } from '@proofdesk/proof/log/tree'
import {
  formatAddCheckpointAnswer,
  judgeAddCheckpoint,
  parseAddCheckpoint,
  type AddCheckpointRequest,
} from '@proofdesk/proof/log/witness'
import type { Deps } from '../../deps.ts'
import { byClient } from '../../http/limits.ts'
import type { OwnWitness } from '../../log/keep-witness-key.ts'
import { findWitnessedHead, keepWitnessedHead } from '../../log/witness-guard.ts'
import { WITNESS_CLIENT } from './limits.ts'
import * as queries from './queries.ts'

type WitnessDeps = Pick<Deps, 'db' | 'now' | 'limits' | 'logger' | 'config'>

/** What a log is answered, by HTTP status; `body` is empty where the status says all. */
export interface WitnessAnswer {
  status: 200 | 400 | 403 | 404 | 409 | 422
  body: string
}

/**
 * Signs the head of another log as its witness, if it continues the one that was signed last. The state is written down
 * first: of two requests at once one moves it, and the other is told the new size. Then it is kept in KEYS_DIR too.
 * @throws AppError `rate_limited`, `storage_unavailable`
 * @see c2sp.org/tlog-witness, "add-checkpoint"
 */
export async function addCheckpoint(
  deps: WitnessDeps,
  witness: OwnWitness,
  body: string,
  clientAddress: string,
): Promise<WitnessAnswer> {
  await deps.limits.attempt(...byClient(WITNESS_CLIENT, clientAddress))
  const request = readRequest(body)
  if (!request) return { status: 400, body: '' }
  const { origin } = request.checkpoint
  const keys = witness.logs.get(origin)
  const state = keys && (await findState(deps, origin))
  const known = { origin, size: state?.size ?? 0, root: state ? fromHex(state.root) : EMPTY_ROOT }
  const verdict = await judgeAddCheckpoint(keys && { ...known, keys }, request)
  if (verdict.status === 409 && keys && state) await keepEvidence(deps, state, request, keys)
  if (verdict.status === 409) return { status: 409, body: `${verdict.size}\n` }
  if (verdict.status !== 200 || !keys) return { status: verdict.status, body: '' }
  const { size, root } = verdict.checkpoint
  const at = deps.now()
  const next = { origin, size, root: toHex(root), note: await keepSignatures(request.note, keys), cosigned_at: at }
  const isNext =
    (await queries.moveWitnessState(deps.db, state, next)) && (await keepWitnessedHead(deps.config.keysDir, next))
  if (!isNext) {
    const moved = await findState(deps, origin)
    return { status: 409, body: `${moved?.size ?? 0}\n` }
  }
  return {
    status: 200,
    body: formatAddCheckpointAnswer([await cosign(verdict.text, witness, Math.floor(at / 1000))]),
  }
}

/**
 * The head that was signed last. A database that was put back has forgotten it: then it is brought forward to the one in
 * KEYS_DIR, or a fork of what was forgotten would be signed.
 */
async function findState(
  { db, config, logger }: WitnessDeps,
  origin: string,
): Promise<queries.WitnessState | undefined> {
  // The file first: another process may sign in between, and the state only grows.
  const kept = await findWitnessedHead(config.keysDir, origin)
  const state = await queries.findWitnessState(db, origin)
  if (!kept || (state && isCovered(kept, state))) return state
  const { size, note, cosigned_at } = kept
  if (await queries.moveWitnessState(db, state, { origin, size, root: toHex(kept.root), note, cosigned_at }))
    logger.warn('the database had forgotten the head that a witnessed log was signed for last', { origin, size })
  return queries.findWitnessState(db, origin)
}

/** Of two trees of one size that of the file was signed: the other was only about to be. */
function isCovered(kept: { size: number; root: Uint8Array }, state: queries.WitnessState): boolean {
  return kept.size < state.size || (kept.size === state.size && toHex(kept.root) === state.root)
}

/** What we witness, for anybody to read: with it, a log that showed others another history is convicted. */
export async function describeWitness({ reads }: Pick<Deps, 'reads'>, { verifierKey, logs }: OwnWitness) {
  const states = await queries.listWitnessStates(reads, [...logs.keys()])
  return {
    verifier_key: verifierKey,
    logs: [...logs.keys()].toSorted().map((origin) => {
      const state = states.find((one) => one.origin === origin)
      return {
        origin,
        size: state?.size ?? 0,
        note: state?.note ?? null,
        cosigned_at: state ? new Date(state.cosigned_at).toISOString() : null,
        contradiction: state?.contradiction ?? null,
      }
    }),
  }
}

function readRequest(body: string): AddCheckpointRequest | undefined {
  try {
    return parseAddCheckpoint(body)
  } catch (error) {
    if (error instanceof ProofError) return undefined
    throw error
  }
}

/** Two heads of one size with different roots, both signed by the log: nothing else has to be believed. */
async function keepEvidence(
  { db, logger }: WitnessDeps,
  state: queries.WitnessState,
  { checkpoint: { size, root }, note }: AddCheckpointRequest,
  keys: readonly VerifierKey[],
): Promise<void> {
  if (size !== state.size || areEqual(root, fromHex(state.root))) return
  if (await queries.keepContradiction(db, state, `${state.note}\n${await keepSignatures(note, keys)}`))
    logger.warn('a witnessed log has signed two trees of one size', { origin: state.origin, size })
}

/** The note with those signatures alone that were checked; others may be anything. */
async function keepSignatures(note: string, keys: readonly VerifierKey[]): Promise<string> {
  const { text, signatures } = await openNote(note, keys)
  return formatNote(text, signatures)
}
