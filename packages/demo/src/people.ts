import type { Role } from '@proofdesk/contract/users'

/** Somebody of the demonstration. Nobody of that name is meant. */
export interface DemoPerson {
  username: string
  firstName: string
  lastName: string
  role: Role
  phone: string
  birthdate: string | null
  joinedDaysAgo: number
  /** What to sign in for. */
  shows: string
}

/** In the order in which they came. Their addresses are at example.org, which delivers nothing (RFC 2606). */
export const PEOPLE: readonly DemoPerson[] = [
  person('sofia', 'Sofía', 'Álvarez Núñez', 'superuser', 64, 'superuser: sees and decides everything'),
  person('tomasz', 'Tomasz', 'Wójcik', 'admin', 63, 'admin: users and tickets'),
  person('aiko', '愛子', '佐藤', 'staff', 62, 'staff: reviews, two collections are waiting'),
  person('kwame', 'Kwame', 'Mensah', 'staff', 60, 'staff: reviews'),
  person('leyla', 'Leyla', 'Yılmaz', 'user', 58, 'one approved, one opened'),
  person('nguyen.an', 'An', 'Nguyễn Thị', 'user', 55, 'one approved, one expired'),
  person('wang.fang', '芳', '王', 'user', 54, 'one approved'),
  person('نیلوفر', 'نیلوفر', 'احمدی', 'user', 52, 'one in progress'),
  person('priya', 'प्रिया', 'शर्मा', 'user', 51, 'one answered, one approved'),
  person('oksana', 'Оксана', 'Шевченко', 'user', 50, 'one in progress, one answered'),
  person('david', 'דוד', 'לוי', 'user', 48, 'one opened, with comments'),
  person('eleni', 'Ελένη', 'Παπαδοπούλου', 'user', 47, 'deactivated: cannot sign in'),
]

/** Registers by the real form a while ago and has not opened the mailed link yet. */
export const UNVERIFIED: DemoPerson = person('minjun', '민준', '김', 'user', 0, 'e-mail not verified yet')

export const DEACTIVATED = 'eleni'

function person(
  username: string,
  firstName: string,
  lastName: string,
  role: Role,
  joinedDaysAgo: number,
  shows: string,
): DemoPerson {
  // +99 belongs to no country.
  const phone = `+99 555 01${String(joinedDaysAgo).padStart(2, '0')}`
  const birthdate = joinedDaysAgo % 3 === 0 ? null : `19${70 + (joinedDaysAgo % 30)}-0${1 + (joinedDaysAgo % 9)}-14`
  return { username, firstName, lastName, role, phone, birthdate, joinedDaysAgo, shows }
}

/** In ASCII, since many mail programs take nothing else. */
const LATIN_NAMES: Record<string, string> = { نیلوفر: 'niloufar' }

export function addressOf({ username }: DemoPerson): string {
  return `${LATIN_NAMES[username] ?? username}@example.org`
}

/** `HH:MM`, another for each. */
export function joinTimeOf({ joinedDaysAgo }: DemoPerson): string {
  return `${String(7 + (joinedDaysAgo % 11)).padStart(2, '0')}:${10 + ((joinedDaysAgo * 7) % 49)}`
}
