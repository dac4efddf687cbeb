import { isIP } from 'node:net'
import { z } from 'zod'

/** Where clamd listens: at a port, or at a socket in the file system. */
export type ClamdAddress = { host: string; port: number } | { path: string }

/** What a socket's name may be long in bytes (Linux, unix(7)), less the zero at its end. */
const MAX_PATH_BYTES = 107

/** `host:port`, `[address]:port` for IPv6, or `unix:/path`. */
export const ClamdAddressText = z.string().transform((text, context): ClamdAddress => {
  const path = /^unix:(\/[^\0]+)$/.exec(text)?.[1]
  if (path !== undefined && Buffer.byteLength(path) <= MAX_PATH_BYTES) return { path }
  const [, bracketed, plain = '', digits] = /^(?:\[([^\]]+)\]|([^:/]+)):(\d{1,5})$/.exec(text) ?? []
  const port = Number(digits)
  const isHost =
    bracketed === undefined
      ? /^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$/.test(plain) && isIP(plain) !== 6
      : isIP(bracketed) === 6
  if (isHost && port >= 1 && port <= 65_535) return { host: bracketed ?? plain, port }
  context.addIssue({ code: 'custom' })
  return z.NEVER
})
