import { API_BASE, isHeadAnswered } from '@proofdesk/contract/route'
import { ROUTES } from '@proofdesk/contract/routes'
import { AppError } from '../errors.ts'

/** For a call that there is not: whether only its method is wrong. */
export function refuseAddress(method: string, url: string): AppError {
  const allowed = listAllowedMethods(url).join(', ')
  if (allowed === '') return new AppError('not_found')
  return new AppError('method_not_allowed', { values: { method, allowed }, headers: { allow: allowed } })
}

/** How a path of each call looks, by its segments; undefined stands for a parameter. */
const PATTERNS = ROUTES.map(({ route }) => ({
  route,
  segments: split(route.path).map((segment) => (segment.startsWith(':') ? undefined : segment)),
}))

/** @returns the methods that an address of the API takes, for `Allow` (RFC 9110 section 10.2.1); none where nothing is there. */
function listAllowedMethods(url: string): string[] {
  const [path = ''] = url.split('?', 1)
  if (!path.startsWith(`${API_BASE}/`)) return []
  const segments = split(path.slice(API_BASE.length))
  const methods = new Set<string>()
  for (const { route, segments: pattern } of PATTERNS) {
    if (pattern.length !== segments.length) continue
    if (!pattern.every((segment, i) => segment === undefined || segment === segments[i])) continue
    const named = split(route.path).flatMap((segment, i) =>
      segment.startsWith(':') ? [[segment.slice(1), decode(segments[i] ?? '')]] : [],
    )
    if (route.params && !route.params.safeParse(Object.fromEntries(named)).success) continue
    methods.add(route.method)
    if (isHeadAnswered(route)) methods.add('HEAD')
  }
  return [...methods].sort()
}

function split(path: string): string[] {
  return path.replace(/^\/|\/$/g, '').split('/')
}

/** What cannot be decoded is no id either. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
