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
 * Whether a page of another site has a browser ask for this, as for a picture or a frame, at the cost of whoever looks at
 * that page. A download from a link there looks the same; a link that is followed, and programs, do not.
 * @see https://www.w3.org/TR/fetch-metadata/
 */
export function isForeignEmbedding({ headers }: FastifyRequest): boolean {
  return headers['sec-fetch-site'] === 'cross-site' && headers['sec-fetch-dest'] !== 'document'
}

/** For calls by GET of which each counts. @throws AppError `foreign_origin` */
export function refuseForeignEmbedding(request: FastifyRequest): void {
  if (isForeignEmbedding(request)) throw new AppError('foreign_origin')
}
