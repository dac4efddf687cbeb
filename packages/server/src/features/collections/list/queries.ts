import { seesAllCollections, type Viewer } from '@proofdesk/contract/permissions'
import { sql, type AliasedSelectQueryBuilder } from 'kysely'
import { compileOnce } from '../../../db/compile-once.ts'
import { cutPage, everything, readingDirection, type Condition, type Order, type PageCut } from '../../../db/list.ts'
import type { Db } from '../../../db/open.ts'
import {
  ORDER_EXPRESSIONS,
  selectCollections,
  toRecord,
  type CollectionOrdering,
  type CollectionRecord,
} from '../queries.ts'
import * as is from '../status-filter.ts'

/** The rows of a list in parts that have none in common. */
export interface Listed {
  /** Each is read in the order of the list, and no further than the page. */
  parts: readonly Condition[]
  /** A part of few rows, which are all looked at. */
  few?: Condition | undefined
}

interface Placed {
  id: number
  place: unknown
}

/** Ids of one page and what they are ordered by. */
function selectPage(
  db: Db,
  { parts, few }: Listed,
  order: Order<CollectionOrdering>,
  pageCut: PageCut,
): AliasedSelectQueryBuilder<Placed, 'page'> {
  const { by, direction } = order
  const select = (part: Condition) =>
    db
      .selectFrom('collections as c')
      .select(['c.id as id', ORDER_EXPRESSIONS[by].as('place')])
      .where(part)
  const cut = cutPage(sql.ref('place'), 'id', direction, pageCut)
  const read = readingDirection(direction, pageCut)
  const [first, ...others] = parts
  if (!first) throw new Error('a list without parts')
  if (others.length === 0 && !few) return select(first).$call(cut).as('page')
  // PostgreSQL reads a part in order only where it ends there too.
  const head = (part: Condition) =>
    db
      .selectFrom(
        select(part)
          .orderBy('place', read)
          .orderBy('id', read)
          .limit(pageCut.offset + pageCut.size)
          .as('part'),
      )
      .select(['id', 'place'])
  if (!few)
    return others
      .map(head)
      .reduce((query, other) => query.unionAll(other), head(first))
      .$call(cut)
      .as('page')
  // Materialised, since PostgreSQL would look for the few by walking along all others.
  const fewFirst = db
    .with(
      (cte) => cte('few').materialized(),
      () => select(few),
    )
    .selectFrom(sql<Placed>`few`.as('kept'))
    .select(['id', 'place'])
  return parts
    .map(head)
    .reduce((query, other) => query.unionAll(other), fewFirst)
    .$call(cut)
    .as('page')
}

/**
 * One page; ties by id. Chosen by what the indexes hold, and only then put together.
 */
export async function listCollections(
  db: Db,
  listed: Listed,
  order: Order<CollectionOrdering>,
  pageCut: PageCut,
  now: number,
): Promise<CollectionRecord[]> {
  const rows = await selectListed(db, listed, order, pageCut).execute()
  return rows.map((row) => toRecord(row, now))
}

function selectListed(db: Db, listed: Listed, order: Order<CollectionOrdering>, cut: PageCut) {
  return selectCollections(db)
    .innerJoin(selectPage(db, listed, order, cut), 'page.id', 'c.id')
    .orderBy('page.place', order.direction)
    .orderBy('page.id', order.direction)
}

type GivenPage = Pick<PageCut, 'offset' | 'size'> & { viewerId: number }

/** What is asked for again and again: lists that nothing narrows but whose they are, in each order and from each end. */
const unnarrowed = new Map<string, ReturnType<typeof compileUnnarrowed>>()

function compileUnnarrowed(seesAll: boolean, order: Order<CollectionOrdering>, isFromEnd: boolean) {
  return compileOnce((db, { viewerId, offset, size }: GivenPage) =>
    selectListed(db, { parts: [seesAll ? everything : is.ownedBy(viewerId)] }, order, { offset, size, isFromEnd }),
  )
}

/** A page of everybody's, or of the viewer's own. */
export async function listUnnarrowed(
  db: Db,
  viewer: Viewer,
  order: Order<CollectionOrdering>,
  { offset, size, isFromEnd }: PageCut,
  now: number,
): Promise<CollectionRecord[]> {
  const seesAll = seesAllCollections(viewer)
  const key = `${seesAll} ${order.by} ${order.direction} ${isFromEnd}`
  let list = unnarrowed.get(key)
  if (list === undefined) unnarrowed.set(key, (list = compileUnnarrowed(seesAll, order, isFromEnd)))
  const rows = await list(db, { viewerId: viewer.id, offset, size })
  return rows.map((row) => toRecord(row, now))
}
