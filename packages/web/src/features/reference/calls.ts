import type { ApiDocument, Operation } from '@proofdesk/contract/openapi'
import { listFields } from './fields.ts'

/** One call of the document, with everything a search may look at. */
export interface ReferenceCall {
  method: string
  path: string
  operation: Operation
  /** Lower case. */
  searched: string
}

export interface CallGroup {
  title: string
  about: string
  calls: ReferenceCall[]
}

/** The calls in the order of their tags. */
export function groupCalls(document: ApiDocument): CallGroup[] {
  const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method,
      path,
      operation,
      searched: collectText(method, path, operation, document),
    })),
  )
  return document.tags.map(({ name, description }) => ({
    title: name,
    about: description,
    calls: calls.filter(({ operation }) => operation.tags.includes(name)),
  }))
}

/** Whether a call demands an access token, takes one or needs none. */
export function tokenUseOf({ security }: Operation): 'demanded' | 'optional' | 'none' {
  if (security.length === 0) return 'none'
  return security.some((requirement) => Object.keys(requirement).length === 0) ? 'optional' : 'demanded'
}

/**
 * Every word of the search has to be in a call. Groups without any are left out.
 * @param target Id of a call that a link leads to: it is found whatever is searched for.
 */
export function searchCalls(groups: CallGroup[], text: string, target?: string): CallGroup[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  return groups
    .map((group) => ({
      ...group,
      calls: group.calls.filter(
        ({ operation, searched }) => operation.operationId === target || words.every((word) => searched.includes(word)),
      ),
    }))
    .filter(({ calls }) => calls.length > 0)
}

function collectText(method: string, path: string, operation: Operation, document: ApiDocument): string {
  const { operationId, summary, tags, parameters, requestBody, responses } = operation
  const contents = [requestBody, ...Object.values(responses)].flatMap((part) => Object.values(part?.content ?? {}))
  const fields = contents.flatMap(({ schema }) => listFields(schema, document.components.schemas))
  const statuses = Object.entries(responses).flatMap(([status, { description }]) => [status, description])
  return [
    `${method} ${path}`,
    operationId,
    summary,
    ...tags,
    ...parameters.map(({ name }) => name),
    ...fields.map(({ name }) => name),
    ...statuses,
  ]
    .join('\n')
    .toLowerCase()
}
