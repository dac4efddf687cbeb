import { foldCase } from '@proofdesk/server/fold-case'
import { toUsernameSkeleton } from '@proofdesk/server/username-skeleton'
import type { Cell, Row } from './row.ts'
import { makePersonName } from './words.ts'

/** One in so many decides on what the others send. */
const STAFF_EVERY = 500

export interface Person {
  id: number
  username: string
  isStaff: boolean
}

/** People like the one the product made: with that one's password, and a name and address of their own. */
export function makePeople(
  pattern: Row,
  count: number,
  firstId: number,
  random: () => number,
): { people: Person[]; columns: string[]; rows: Cell[][] } {
  const columns = Object.keys(pattern)
  const people: Person[] = []
  const rows: Cell[][] = []
  for (let number = 1; number <= count; number += 1) {
    const { first, last, username } = makePersonName(random, number)
    const isStaff = number % STAFF_EVERY === 1
    const email = `${username}@example.org`
    const own: Row = {
      id: firstId + number - 1,
      username,
      username_key: foldCase(username),
      username_skeleton: toUsernameSkeleton(username),
      email,
      email_key: foldCase(email),
      verified_email: email,
      recovery_email: email,
      recovery_email_key: foldCase(email),
      first_name: first,
      last_name: last,
      is_staff: isStaff ? 1 : 0,
    }
    people.push({ id: firstId + number - 1, username, isStaff })
    rows.push(columns.map((column) => own[column] ?? pattern[column] ?? null))
  }
  return { people, columns, rows }
}
