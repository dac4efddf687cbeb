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
import { WITNESS_CLIENT } from './limits.ts'
import * as queries from './queries.ts'

type WitnessDeps = Pick<Deps, 'db' | 'now' | 'limits' | 'logger'>

/** What a log is answered, by HTTP status; `body` is empty where the status says all. */
export interface WitnessAnswer {
  status: 200 | 400 | 403 | 404 | 409 | 422
  body: string
}

/**
 * Signs the head of another log as its witness, if it continues the one that was signed last. The state is written down
 * first: of two requests at once one moves it, and the other is told the new size.
 * @throws AppError `rate_limited`
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
  const state = keys && (await queries.findWitnessState(deps.db, origin))
  const known = { origin, size: state?.size ?? 0, root: state ? fromHex(state.root) : EMPTY_ROOT }
  const verdict = await judgeAddCheckpoint(keys && { ...known, keys }, request)
  if (verdict.status === 409 && keys && state) await keepEvidence(deps, state, request, keys)
  if (verdict.status === 409) return { status: 409, body: `${verdict.size}\n` }
  if (verdict.status !== 200 || !keys) return { status: verdict.status, body: '' }
  const { size, root } = verdict.checkpoint
  const at = deps.now()
  const next = { origin, size, root: toHex(root), note: await keepSignatures(request.note, keys), cosigned_at: at }
  if (!(await queries.moveWitnessState(deps.db, state, next))) {
    const moved = await queries.findWitnessState(deps.db, origin)
    return { status: 409, body: `${moved?.size ?? 0}\n` }
  }
  return {
    status: 200,
    body: formatAddCheckpointAnswer([await cosign(verdict.text, witness, Math.floor(at / 1000))]),
  }
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
