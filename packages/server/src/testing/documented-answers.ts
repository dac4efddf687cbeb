import type { Route } from '@proofdesk/contract/route'
import { errorsOf, nameRoute, ROUTES, successesOf } from '@proofdesk/contract/routes'

/** A range outside the file: the HTTP layer's own answer, without a code. */
const UNSATISFIABLE = 416

const PATTERNS = ROUTES.map(({ route }) => ({ route, pattern: toPattern(route.path) }))

/**
 * Holds an answer against what the contract says the call may answer.
 * @throws Error that names the call and the status or code to add to it. Calls that have no list of refusals yet, and
 *   addresses where no call stands, pass: tests of their own see to them.
 */
export function refuseUndocumented(method: string, address: string, status: number, body: string): void {
  const path = address.split('?', 1)[0] ?? ''
  // A fixed path goes before one with a parameter, as in the server.
  const matches = PATTERNS.filter(({ route, pattern }) => route.method === method && pattern.test(path))
  const route = (matches.find(({ route: { params } }) => !params) ?? matches[0])?.route
  if (!route?.errors) return
  if (status < 400) {
    if (!successesOf(route).includes(status))
      throw new Error(`${nameRoute(route)} answered ${status}: name it as its status or in otherStatuses`)
    return
  }
  if (status === UNSATISFIABLE && route.file) return
  const { code } = JSON.parse(body) as { code: ReturnType<typeof errorsOf>[number] }
  if (!errorsOf(route).includes(code))
    throw new Error(`${nameRoute(route)} answered ${status} ${code}: add '${code}' to its errors in the contract`)
}

function toPattern(path: Route['path']): RegExp {
  const literal = path.replace(/\/$/, '').replace(/[.]/g, '\\.')
  return new RegExp(`^${literal.replace(/:\w+/g, '[^/]+')}/?$`)
}
