/** Reads one answer after the other from a connection; bodies are counted and thrown away. */
export interface AnswerReader {
  /** @param piece Read at once: its memory is used again. @returns the answer that this piece completes, if it does. */
  read(piece: Buffer): { status: number; closes: boolean } | undefined
}

const HEAD_END = Buffer.from('\r\n\r\n')
const LAST_CHUNK = Buffer.from('0\r\n\r\n')

export function makeAnswerReader(): AnswerReader {
  let head: Buffer | undefined
  let answer: { status: number; closes: boolean } | undefined
  /** Bytes of the body still to come; undefined where the body comes in chunks. */
  let left: number | undefined
  let tail = Buffer.alloc(0)

  function readHead(piece: Buffer): Buffer | undefined {
    const begun = head ? Buffer.concat([head, piece]) : piece
    const end = begun.indexOf(HEAD_END)
    if (end === -1) {
      head = Buffer.from(begun)
      return undefined
    }
    const text = begun.toString('latin1', 0, end)
    const body = begun.subarray(end + HEAD_END.length)
    head = undefined
    answer = { status: Number(text.slice(9, 12)), closes: /\r\nconnection: close/i.test(text) }
    const length = /\r\ncontent-length: *(\d+)/i.exec(text)?.[1]
    left = length === undefined ? undefined : Number(length)
    if (length === undefined && !/\r\ntransfer-encoding: *chunked/i.test(text)) left = 0
    return body
  }

  return {
    read: (piece) => {
      const body = answer ? piece : readHead(piece)
      if (!body || !answer) return undefined
      if (left === undefined) {
        tail = Buffer.concat([tail, body]).subarray(-LAST_CHUNK.length)
        if (!tail.equals(LAST_CHUNK)) return undefined
        tail = Buffer.alloc(0)
      } else {
        left -= body.length
        if (left > 0) return undefined
      }
      const read = answer
      answer = undefined
      return read
    },
  }
}
