import { brotliCompressSync, crc32, gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** A page that is kept in memory, ready for each way in which browsers read it. */
export interface CompressedPage {
  etag: string
  bodies: Record<'br' | 'gzip' | 'identity', Buffer>
}

export function compressPage(bytes: Buffer): CompressedPage {
  // Weak: it names the page, however it is compressed. A checksum will do among the few pages of one address.
  return {
    etag: `W/"${bytes.length}-${crc32(bytes).toString(36)}"`,
    bodies: { br: brotliCompressSync(bytes), gzip: gzipSync(bytes), identity: bytes },
  }
}

/** @param vary Names of the request's headers that decide which page is sent. */
export function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  page: CompressedPage,
  vary: string,
): FastifyReply {
  const encoding = chooseEncoding(request.headers['accept-encoding'])
  reply
    .header('cache-control', 'no-cache')
    .header('vary', vary)
    .header('etag', page.etag)
    .type('text/html; charset=utf-8')
  if (request.headers['if-none-match'] === page.etag) return reply.code(304).send()
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
  return reply.code(200).send(page.bodies[encoding])
}

/** A coding counts as welcome when it is named without a quality of zero (RFC 9110, section 12.5.3). */
function chooseEncoding(accepted: string | string[] = ''): 'br' | 'gzip' | 'identity' {
  const welcome = new Set(
    String(accepted)
      .split(',')
      .map((one) =>
        one
          .trim()
          .toLowerCase()
          .split(/\s*;\s*/),
      )
      .filter(([, quality]) => !/^q=0(?:\.0*)?$/.test(quality ?? ''))
      .map(([name]) => name),
  )
  if (welcome.has('br')) return 'br'
  return welcome.has('gzip') ? 'gzip' : 'identity'
}
