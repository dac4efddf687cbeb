import { HeadObjectCommand } from '@aws-sdk/client-s3'
import { isMissing, type Bucket } from './bucket.ts'

/**
 * How long ago an object was written, in milliseconds, by the clock of the store alone: that of this machine may be another.
 * @returns undefined when there is none. @throws S3Failure
 */
export async function findAge(bucket: Bucket, key: string): Promise<number | undefined> {
  const place = bucket.place(key)
  try {
    return await bucket.ask('HeadObject', async (client, abortSignal) => {
      const command = new HeadObjectCommand(place)
      // RFC 9110 wants it in each answer of whoever has a clock.
      let answeredAt = Number.NaN
      command.middlewareStack.add(
        (next) => async (given) => {
          const answer = await next(given)
          const { headers } = answer.response as { headers?: Record<string, string> }
          answeredAt = Date.parse(headers?.['date'] ?? '')
          return answer
        },
        { step: 'deserialize' },
      )
      const { LastModified } = await client.send(command, { abortSignal })
      const now = Number.isNaN(answeredAt) ? Date.now() : answeredAt
      // Of a store of several machines each has a clock.
      return Math.max(0, now - (LastModified?.getTime() ?? 0))
    })
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}
