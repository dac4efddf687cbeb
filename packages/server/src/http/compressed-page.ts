import { promisify } from 'node:util'
import { brotliCompress, crc32, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { namesTag } from './entity-tags.ts'
import { sendNothing } from './send-file.ts'

type Coding = 'br' | 'gzip' | 'identity'

type Coders = Record<Coding, (bytes: Buffer) => Promise<Buffer>>

const CODERS: Coders = {
  br: promisify(brotliCompress),
  gzip: promisify(gzip),
  identity: (bytes) => Promise.resolve(bytes),
}

/** A page that is kept in memory, for each way in which browsers read it from the first time on that one asks for it. */
export interface CompressedPage {
  etag: string
  /** Compressing a large page takes a third of a second, which no start waits for and no other request. */
  read(coding: Coding): Promise<Buffer>
}

export function compressPage(bytes: Buffer, coders: Coders = CODERS): CompressedPage {
  const bodies = new Map<Coding, Promise<Buffer>>()
  return {
    // Weak: it names the page, however it is compressed. A checksum will do among the few pages of one address.
    etag: `W/"${bytes.length}-${crc32(bytes).toString(36)}"`,
    read: (coding) => {
      const known = bodies.get(coding)
      if (known) return known
      const body = coders[coding](bytes)
      bodies.set(coding, body)
      // the next one who asks tries it again
      body.catch(() => bodies.delete(coding))
      return body
    },
  }
}

/** @param vary Names of the request's headers that decide which page is sent. */
export async function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  page: CompressedPage,
  vary: string,
): Promise<FastifyReply> {
  const encoding = chooseEncoding(request.headers['accept-encoding'])
  reply
    .header('cache-control', 'no-cache')
    .header('vary', vary)
    .header('etag', page.etag)
    .type('text/html; charset=utf-8')
  if (namesTag(request.headers['if-none-match'], page.etag)) return sendNothing(request, reply.code(304))
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
  return reply.code(200).send(await page.read(encoding))
}

/** A coding counts as welcome when it is named without a quality of zero (RFC 9110, section 12.5.3). */
function chooseEncoding(accepted: string | string[] = ''): Coding {
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
