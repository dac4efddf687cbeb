/** Another text for a part of content, by places in it. */
export interface Edit {
  from: number
  to: number
  text: string
}

/** @param edits In the order of the content; none begins before the last one's end. @returns undefined where there is none. */
export function applyEdits(content: Buffer, edits: Iterable<Edit>): Buffer | undefined {
  const pieces: Buffer[] = []
  let at = 0
  for (const { from, to, text } of edits) {
    pieces.push(content.subarray(at, from), Buffer.from(text, 'latin1'))
    at = to
  }
  return pieces.length === 0 ? undefined : Buffer.concat([...pieces, content.subarray(at)])
}
