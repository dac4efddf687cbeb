import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readDocuments } from './documents.ts'
import { mergeSent, toKey, type Sent, type Statement } from './statements.ts'

/** What the processes of a run wrote down. */
export function readCollected(folder: string): Statement[] {
  const texts = globSync('*.json', { cwd: folder }).map((name) => readFileSync(join(folder, name), 'utf8'))
  return mergeSent(texts.flatMap((text) => JSON.parse(text) as Sent[]))
}

/**
 * How docs/sql differs from what a run has sent, a sentence each.
 * @param isWhole All tests of the server ran: what stands in the documents beside what a function sent, is sent no more.
 */
export function compareCollected(folder: string, isWhole: boolean): string[] {
  const sent = readCollected(folder)
  const documented = readDocuments()
  const known = new Set(documented.map(toKey))
  const seen = new Set(sent.map(toKey))
  const senders = new Set(sent.map(({ file, sender }) => `${file} ${sender}`))
  const gone = isWhole
    ? documented.filter((one) => senders.has(`${one.file} ${one.sender}`) && !seen.has(toKey(one)))
    : []
  const say = (what: string) => (one: Statement) => `${one.sender} of ${one.file} ${what} docs/sql:\n  ${one.sql}`
  return [
    ...sent.filter((one) => !known.has(toKey(one))).map(say('sends what does not stand in')),
    ...gone.map(say('does not send any more what stands in')),
  ]
}
