import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { ReadFailure } from '../blobs/read-apart.ts'
import type { ClamdAddress } from '../config/clamd-address.ts'
import { readVerdict, readVersion, type ScannerVersion, type ScanVerdict } from './answers.ts'

/** Nobody listens any more who takes longer to take a connection. */
const CONNECT_MS = 5000
/** An answer is a line. */
const MAX_ANSWER_BYTES = 4096
const CHUNK_BYTES = 1024 * 1024
/** How long clamd has, at the head of a piece, to say that it takes no more. */
const HEAD_MS = 2

/** clamd hung up while a file was sent, and what it said, if anything, was lost with the connection. */
export class ScanCutOff extends Error {
  override readonly name = 'ScanCutOff'
}

/**
 * Has clamd look at a file (clamd(8), INSTREAM).
 * @throws what went wrong, also for an answer that is no verdict; ReadFailure where it is our own file that cannot be read
 */
export async function scanByClamd(address: ClamdAddress, path: string, signal: AbortSignal): Promise<ScanVerdict> {
  let isSent = false
  const answer = await askClamd(address, 'zINSTREAM\0', signal, async (socket) => {
    await sendFile(socket, path)
    isSent = true
  })
  const verdict = readVerdict(answer)
  if (verdict.found === false && !isSent) throw new Error('clamd passed a file before it had all of it')
  return verdict
}

/** clamd(8), VERSION. */
export async function askClamdVersion(address: ClamdAddress, signal: AbortSignal): Promise<ScannerVersion> {
  return readVersion(await askClamd(address, 'zVERSION\0', signal))
}

/**
 * Sends a command, and what belongs to it, on a connection of its own.
 * @returns the answer: what came before its zero. One that is cut off before it is none.
 */
async function askClamd(
  address: ClamdAddress,
  command: string,
  signal: AbortSignal,
  send: (socket: Socket) => Promise<void> = async () => {},
): Promise<string> {
  signal.throwIfAborted()
  const socket = connect(address)
  const stop = () => socket.destroy(signal.reason as Error)
  signal.addEventListener('abort', stop)
  const late = setTimeout(() => socket.destroy(new Error('clamd takes no connection')), CONNECT_MS)
  try {
    const answer = readAnswer(socket)
    // Waited for below; whoever sends fails first where the connection does.
    answer.catch(() => {})
    await once(socket, 'connect')
    clearTimeout(late)
    socket.write(command)
    let isCutOff = false
    // clamd answers before the end where it takes no more, and hangs up: then the answer counts.
    const sending = send(socket).catch((error: unknown) => {
      isCutOff = socket.destroyed && !signal.aborted
      if (!isCutOff) socket.destroy(error as Error)
    })
    return await answer.catch(async (cause: unknown) => {
      await sending
      throw isCutOff
        ? new ScanCutOff('clamd hung up while it was sent a file: StreamMaxLength in its settings may be too small', {
            cause,
          })
        : cause
    })
  } finally {
    clearTimeout(late)
    signal.removeEventListener('abort', stop)
    socket.destroy()
  }
}

function readAnswer(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    socket.setEncoding('latin1')
    socket.on('data', (part: string) => {
      text += part
      const end = text.indexOf('\0')
      if (end >= 0) resolve(text.slice(0, end))
      else if (text.length > MAX_ANSWER_BYTES) reject(new Error('clamd does not end its answer'))
    })
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('clamd hung up before the end of its answer')))
  })
}

/** Pieces with their lengths before them, and a length of nought at the end. */
async function sendFile(socket: Socket, path: string): Promise<void> {
  for await (const bytes of readPieces(path)) {
    await write(socket, writeLength(bytes.length))
    // At the head of a piece that is too much clamd answers and hangs up; an answer that crosses the piece would be lost.
    await pause(HEAD_MS)
    await write(socket, bytes)
  }
  await write(socket, writeLength(0))
}

async function* readPieces(path: string): AsyncGenerator<Buffer> {
  try {
    yield* createReadStream(path, { highWaterMark: CHUNK_BYTES }) as AsyncIterable<Buffer>
  } catch (cause) {
    throw new ReadFailure('an upload cannot be read', { cause })
  }
}

function writeLength(length: number): Buffer {
  const head = Buffer.alloc(4)
  head.writeUInt32BE(length)
  return head
}

function write(socket: Socket, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.write(bytes, (error) => (error ? reject(error) : resolve()))
  })
}
