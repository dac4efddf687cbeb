import { request } from 'node:http'

interface HeldRequest {
  url: string
  method: 'POST' | 'PATCH'
  path: string
  access: string
  type: string
  body: Buffer
}

/**
 * Sends a request but for the second half of its body, once the server has its headers.
 * @returns what sends the rest. @returns the answer's status and body
 */
export async function holdRequest({ url, method, path, access, type, body }: HeldRequest) {
  const headers = { authorization: `Bearer ${access}`, 'content-type': type, 'content-length': body.length }
  const call = request(new URL(`/backend/api/v1${path}`, url), {
    method,
    headers: { ...headers, expect: '100-continue', connection: 'close' },
  })
  const answered = new Promise<{ status: number; body: string }>((resolve, reject) => {
    call.on('error', reject)
    call.on('response', (answer) => {
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(parts).toString() }))
    })
  })
  const half = body.length >> 1
  call.flushHeaders()
  await new Promise<void>((resolve) => {
    call.on('continue', resolve)
  })
  call.write(body.subarray(0, half))
  return async () => {
    call.end(body.subarray(half))
    return await answered
  }
}

/** As `holdRequest`, of JSON. */
export const holdJson = (asked: Omit<HeldRequest, 'type' | 'body'> & { body: object }) =>
  holdRequest({ ...asked, type: 'application/json', body: Buffer.from(JSON.stringify(asked.body)) })
