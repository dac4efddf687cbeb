import { ProofError } from '@proofdesk/proof/errors'
import { parseCheckpoint, type Checkpoint } from '@proofdesk/proof/log/checkpoint'
import { openNote } from '@proofdesk/proof/log/note'
import type { Policy } from '@proofdesk/proof/log/policy'

/** A witness of the log, and what it signed last. */
export interface WitnessNews {
  name: string
  /** `at`: seconds since 1970 UTC, as the witness states it; `note`: as it was signed. Undefined where it never did. */
  last: { at: number; head: Checkpoint; note: string } | undefined
}

/** What `/log/witnesses` answers. */
interface Answer {
  witnesses: { name: string; note: string | null }[]
  own_key: string | null
}

/**
 * Reads what each witness of a policy signed last, and checks it: nobody is shown who did not sign.
 * @param text What the installation says of them.
 * @throws ProofError for a head that its log, or the witness, did not sign.
 */
export async function readWitnesses(
  { logs, witnesses }: Policy,
  text: string,
): Promise<{ witnesses: WitnessNews[]; ownWitnessKey: string | null }> {
  const answer = readAnswer(text)
  const [log] = logs
  const news = [...witnesses.values()].map(async ({ key }): Promise<WitnessNews> => {
    const note = answer.witnesses.find(({ name }) => name === key.name)?.note
    if (typeof note !== 'string' || !log) return { name: key.name, last: undefined }
    await openNote(note, [log.key])
    const { text: signed, signatures } = await openNote(note, [key])
    const head = parseCheckpoint(signed)
    if (head.origin !== log.key.name) throw new ProofError('log_checkpoint', 'the head of another log')
    return { name: key.name, last: { at: signatures[0]?.time ?? 0, head, note } }
  })
  return { witnesses: await Promise.all(news), ownWitnessKey: answer.own_key }
}

function readAnswer(text: string): Answer {
  try {
    return JSON.parse(text) as Answer
  } catch (cause) {
    throw new ProofError('log_witness', 'what the witnesses signed', { cause })
  }
}
