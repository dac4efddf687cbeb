import { connect, type Socket } from 'node:net'
import { makeAnswerReader } from './answer-reader.ts'

/** A connection that is kept open as long as the server lets it, for one request after the other. */
export interface Connection {
  /** @param request As it goes over the wire. @returns the status of the answer, once all of it is here. */
  ask(request: string): Promise<number>
}

export function openConnection(port: number): Connection {
  let socket: Socket | undefined
  let waiting: PromiseWithResolvers<number> | undefined

  function open(): Socket {
    const opened = connect({ port, host: '127.0.0.1', noDelay: true })
    const reader = makeAnswerReader()
    const fail = (error: Error) => {
      if (socket === opened) socket = undefined
      waiting?.reject(error)
    }
    opened.on('data', (piece) => {
      const answer = reader.read(piece)
      if (!answer) return
      // Servers that keep no connection open are asked on a new one.
      if (answer.closes) {
        socket = undefined
        opened.removeAllListeners('close').destroy()
      }
      waiting?.resolve(answer.status)
    })
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
