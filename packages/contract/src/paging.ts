import { z } from 'zod'
import { say } from './fields.ts'

/** Multiplied by the size of a page it is still exact. */
const HIGHEST_PAGE = 99_999_999_999_999

/** `page` in a query: from 1; a page below 1 or not a number is 400, one past the end 404 'Invalid page.'. */
export const PageQuery = z
  .string()
  .regex(/^-?\d+$/, say('page_below_one'))
  // A number that a list cannot count to is past its end all the same.
  .transform((text) => Math.min(Number(text), HIGHEST_PAGE))
  .refine((page) => page >= 1, say('page_below_one'))
  .optional()
  .transform((page) => page ?? 1)
  .meta({ type: 'integer', minimum: 1, examples: [1], pattern: undefined })

/** A list as the specification's section 3 has it. */
export function pageOf<const T extends z.ZodType>(item: T) {
  return z.object({
    count: z.int().min(0),
    next: z.string().nullable().describe('Address of the next page; null on the last.'),
    previous: z.string().nullable().describe('Address of the page before; null on the first.'),
    results: z.array(item),
  })
}

/** A list that can be searched. */
export function searchPageOf<const T extends z.ZodType>(item: T) {
  return pageOf(item).extend({
    count_capped: z
      .boolean()
      .describe('True when there is more than `count`, as of a search; pages show as many as are counted.'),
  })
}

export interface SearchPageOf<T> extends PageOf<T> {
  count_capped: boolean
}

export interface PageOf<T> {
  count: number
  next: string | null
  previous: string | null
  results: T[]
}

/** `ordering` in a query: one of the given fields, a leading minus for descending; anything else is 400. */
export function OrderingQuery<const F extends string>(fields: readonly F[]) {
  const allowed = fields.flatMap((field) => [field, `-${field}` as const])
  return z.enum(allowed as [F | `-${F}`, ...(F | `-${F}`)[]], { error: say('ordering_invalid') }).optional()
}

export function totalPages(count: number, pageSize: number): number {
  return Math.max(1, Math.ceil(count / pageSize))
}
