import { once } from 'node:events'
import { createConnection, createServer } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { startPrivateS3, type PrivateS3, type S3Access } from './private-s3.ts'

/** The socket at which the test command gives out the S3 of a run; a file run alone starts its own. */
export const S3_SOCKET_VARIABLE = 'PROOFDESK_TEST_S3'

/** Few files need it and it takes a while, so it is started when the first one asks, in the process that outlives them all. */
export async function offerS3(folder: string): Promise<{ path: string; stop(): Promise<void> }> {
  const path = join(folder, 's3.sock')
  let s3: Promise<PrivateS3> | undefined
  const server = createServer((socket) => {
    socket.on('error', () => {})
    s3 ??= startPrivateS3()
    s3.then(
      ({ endpoint, accessKeyId, secretAccessKey }) =>
        socket.end(JSON.stringify({ endpoint, accessKeyId, secretAccessKey })),
      (error: unknown) => socket.end(JSON.stringify({ error: String(error) })),
    )
  })
  await once(server.listen(path), 'listening')
  server.unref()
  return {
    path,
    stop: async () => {
      server.close()
      await (await s3?.catch(() => undefined))?.stop()
    },
  }
}

let access: Promise<S3Access> | undefined

/** The S3 of this run, or of this process alone. */
export function findS3(): Promise<S3Access> {
  const path = process.env[S3_SOCKET_VARIABLE]
  access ??= path === undefined ? startPrivateS3() : askForS3(path)
  return access
}

async function askForS3(path: string): Promise<S3Access> {
  const answer = JSON.parse(await text(createConnection(path))) as S3Access | { error: string }
  if ('error' in answer) throw new Error(answer.error)
  return answer
}
