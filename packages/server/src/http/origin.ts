import type { FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'

/**
 * For calls that change something and know the caller by a cookie: they must come from our own pages. Browsers name the
 * page's origin on every such call; programs that name none carry no cookie by accident.
 * @param publicUrl Our origin; the one the caller reached us by counts too, since a browser cannot be made to lie there.
 * @throws AppError `foreign_origin`
 */
export function refuseForeignOrigin(request: FastifyRequest, publicUrl: string): void {
  const { origin } = request.headers
  const site = request.headers['sec-fetch-site']
  if (origin === undefined && (site === undefined || site === 'same-origin')) return
  const isOurs = origin !== undefined && (origin === publicUrl || origin === `${request.protocol}://${request.host}`)
  if (!isOurs) throw new AppError('foreign_origin')
}

/**
 * For calls by GET that count what comes from an address: a page of another site has a browser send them as pictures or
 * frames, and whoever looks at that page would pay. A link that somebody follows, and programs, are let through.
 * @throws AppError `foreign_origin`
 * @see https://www.w3.org/TR/fetch-metadata/
 */
export function refuseForeignEmbedding({ headers }: FastifyRequest): void {
  if (headers['sec-fetch-site'] === 'cross-site' && headers['sec-fetch-dest'] !== 'document')
    throw new AppError('foreign_origin')
}
