import { API_BASE, isHeadAnswered } from '@proofdesk/contract/route'
import { ROUTES } from '@proofdesk/contract/routes'
import { AppError } from '../errors.ts'

/** For a call that there is not: whether only its method is wrong. */
export function refuseAddress(method: string, url: string): AppError {
  const allowed = listAllowedMethods(url).join(', ')
  if (allowed === '') return new AppError('not_found')
  return new AppError('method_not_allowed', { values: { method, allowed }, headers: { allow: allowed } })
}

/** What the addresses of each call look like. */
const PATTERNS = ROUTES.map(({ route }) => {
  const path = `${API_BASE}${route.path}`
    .replace(/\/$/, '')
    .replaceAll('.', '\\.')
    .replace(/:(\w+)/g, '(?<$1>[^/]+)')
  return { route, pattern: new RegExp(`^${path}/?$`) }
})

/** @returns the methods that an address of the API takes, for `Allow` (RFC 9110 section 10.2.1); none where nothing is there. */
function listAllowedMethods(url: string): string[] {
  const [path = ''] = url.split('?', 1)
  const methods = new Set<string>()
  for (const { route, pattern } of PATTERNS) {
    const match = pattern.exec(path)
    // A path that holds no id leads nowhere.
    if (!match || route.params?.safeParse({ ...match.groups }).success === false) continue
    methods.add(route.method)
    if (isHeadAnswered(route)) methods.add('HEAD')
  }
  return [...methods].sort()
}
