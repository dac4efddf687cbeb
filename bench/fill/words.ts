import { pick } from './random.ts'

const FIRST_NAMES =
  'Leyla Tomasz Aiko Priya Kwame Sofia Mateo Ingrid Omar Chloé Dmitri Yara Jonas Mei Farid Lucía Elif Noah Amara Björn'.split(
    ' ',
  )
const LAST_NAMES =
  'Karimi Nowak Tanaka Sharma Mensah Rossi García Larsen Haddad Dubois Ivanov Silva Becker Chen Rahimi Moreno Yılmaz Smith Okafor Lindgren'.split(
    ' ',
  )

/** More than a third are certificates, as where people prove what they have learnt. */
const PAPERS = [
  'Degree certificate',
  'Birth certificate',
  'Certificate of residence',
  'School leaving certificate',
  'Rental contract',
  'Employment contract',
  'Passport copy',
  'Driving licence',
  'Führerschein',
  'Relevé de notes',
  'Bank statement',
  'Insurance policy',
]
const PLACES =
  'Vienna Kraków Osaka Pune Accra Bologna Rosario Bergen Amman Lyon Tartu Recife Kassel Nanjing Shiraz Sevilla Bursa Leeds'.split(
    ' ',
  )

/** Part of more than a third of the titles. */
export const COMMON_TERM = 'certificate'
/** Part of twenty titles, however many there are. */
export const RARE_TERM = 'Zanzibar'
export const RARE_TITLES = 20

export interface PersonName {
  first: string
  last: string
  username: string
}

/** @param number Makes the username one of a kind. */
export function makePersonName(random: () => number, number: number): PersonName {
  const [first, last] = [pick(random, FIRST_NAMES), pick(random, LAST_NAMES)]
  const plain = `${first}.${last}`.normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll('ı', 'i').toLowerCase()
  return { first, last, username: `${plain}${number}` }
}

export function makeTitle(random: () => number, isRare: boolean): string {
  return `${pick(random, PAPERS)}, ${isRare ? RARE_TERM : pick(random, PLACES)} ${1980 + Math.floor(random() * 46)}`
}
