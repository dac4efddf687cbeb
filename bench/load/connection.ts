import { connect, type Socket } from 'node:net'
import { makeAnswerReader } from './answer-reader.ts'

/** A connection that is kept open as long as the server lets it, for one request after the other. */
export interface Connection {
  /** @param request As it goes over the wire. @returns the status of the answer, once all of it is here. */
  ask(request: string): Promise<number>
}

/** At once; bodies are thrown away as they come. */
const READ_BYTES = 512 * 1024

export function openConnection(port: number): Connection {
  let socket: Socket | undefined
  const buffer = Buffer.alloc(READ_BYTES)
  let waiting: PromiseWithResolvers<number> | undefined

  function open(): Socket {
    const reader = makeAnswerReader()
    // One piece of memory for all that comes: a new one for each would take longer than to throw it away.
    const onread = { buffer, callback: (count: number) => read(buffer.subarray(0, count)) }
    const opened = connect({ port, host: '127.0.0.1', noDelay: true, onread })
    const fail = (error: Error) => {
      if (socket === opened) socket = undefined
      waiting?.reject(error)
    }
    function read(piece: Buffer): boolean {
      const answer = reader.read(piece)
      if (!answer) return true
      // Servers that keep no connection open are asked on a new one.
      if (answer.closes) {
        socket = undefined
        opened.removeAllListeners('close').destroy()
      }
      waiting?.resolve(answer.status)
      return true
    }
    opened.once('error', fail)
    opened.once('close', () => fail(new Error('the server closed a connection in the middle of an answer')))
    return opened
  }

  return {
    ask: (request) => {
      waiting = Promise.withResolvers<number>()
      socket ??= open()
      socket.write(request)
      return waiting.promise
    },
  }
}
