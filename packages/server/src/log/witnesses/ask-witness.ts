import { ProofError } from '@proofdesk/proof/errors'
import { formatNote, formatSignatureLine, openNote, parseNote } from '@proofdesk/proof/log/note'
import { formatAddCheckpoint, parseAddCheckpointAnswer, parseConflict } from '@proofdesk/proof/log/witness'
import type { Checkpoint } from '../queries.ts'
import { postCheckpoint } from './post-checkpoint.ts'
import { WitnessFailure } from './witness-failure.ts'
import type { Witness } from './witnesses.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** Clocks of honest machines differ by less. Another time under our head would discredit every proof that carries it. */
const MAX_CLOCK_DIFFERENCE_MS = 60_000

/** What a conversation with a witness needs. */
export interface Asking {
  /** Size of the head that it has signed last, as far as is known; 0 for none. */
  oldSize: number
  /** That the tree of one size is the beginning of that of the other. */
  proveGrowth: (oldSize: number, newSize: number) => Promise<Bytes[]>
  signal: AbortSignal
  /** Milliseconds since 1970-01-01 UTC. */
  now: () => number
}

/**
 * Asks a witness to sign a head, once more where it names another size that it knows.
 * @returns its line for the note, checked, and its time in milliseconds since 1970-01-01 UTC.
 * @throws WitnessFailure
 * @see c2sp.org/tlog-witness, "add-checkpoint"
 */
export async function askWitness(
  witness: Witness,
  head: Checkpoint,
  asking: Asking,
): Promise<{ line: string; cosignedAt: number }> {
  const ask = async (oldSize: number) => {
    const needsPath = oldSize > 0 && oldSize < head.size
    const path = needsPath ? await asking.proveGrowth(oldSize, head.size) : []
    return postCheckpoint(witness.url, formatAddCheckpoint({ oldSize, path, note: head.note }), asking.signal)
  }
  let answer = await ask(asking.oldSize)
  if (answer.status === 409) {
    const size = readForm(() => parseConflict(answer.body))
    if (size > head.size) throw new WitnessFailure('ahead', { detail: size })
    answer = await ask(size)
  }
  if (answer.status !== 200) throw new WitnessFailure('refused', { detail: answer.status })
  return openAnswer(witness, head, answer.body, asking.now())
}

async function openAnswer(
  { key }: Witness,
  head: Checkpoint,
  body: string,
  now: number,
): Promise<{ line: string; cosignedAt: number }> {
  const { text } = parseNote(head.note)
  const cosigned = readForm(() => formatNote(text, parseAddCheckpointAnswer(body)))
  const { signatures } = await openNote(cosigned, [key]).catch((cause: unknown) => {
    throw cause instanceof ProofError ? new WitnessFailure('wrong_signature', { cause }) : cause
  })
  // A witness may have signed this head before, when its answer got lost.
  const [signature] = signatures
  const cosignedAt = (signature?.time ?? 0) * 1000
  const isInTime = cosignedAt >= head.signed_at - MAX_CLOCK_DIFFERENCE_MS && cosignedAt <= now + MAX_CLOCK_DIFFERENCE_MS
  if (!signature || !isInTime) throw new WitnessFailure('wrong_time')
  return { line: formatSignatureLine(signature), cosignedAt }
}

function readForm<T>(parse: () => T): T {
  try {
    return parse()
  } catch (cause) {
    throw cause instanceof ProofError ? new WitnessFailure('malformed', { cause }) : cause
  }
}
