import { joinLetters } from './compare-words.ts'
import { runJudge } from './run-judge.ts'

const TIMEOUT_MS = 30_000

/** Flags of annotations that no screen shows: Hidden and NoView (ISO 32000-2 table 167). */
const UNSEEN_FLAGS = 2 | 32
/** Field flag of a password, which shows as stars. */
const PASSWORD_FLAG = 1 << 13

/** What somebody entered into a form. */
export interface FormValue {
  field: string
  /** Counted from 1; undefined for a field that is on no page. */
  page: number | undefined
  /** Without blanks. */
  letters: string
}

interface QpdfField {
  annotation?: { annotationflags?: number }
  fieldflags?: number
  fieldtype?: string
  fullname?: string
  istext?: boolean
  ischoice?: boolean
  pageposfrom1?: number | null
  value?: unknown
}

/** Values of text and choice fields that a screen is to show, as qpdf reads them; none where it reads nothing. */
export async function readFormValues(path: string): Promise<FormValue[]> {
  const { text } = await runJudge('qpdf', ['--json=2', '--json-key=acroform', path], TIMEOUT_MS, 'utf8')
  return readFields(text).flatMap((field) => {
    const letters = joinLetters(readString(field.value))
    const isShown = ((field.annotation?.annotationflags ?? 0) & UNSEEN_FLAGS) === 0
    const isWords = field.istext === true || field.ischoice === true
    const isPassword = field.istext === true && ((field.fieldflags ?? 0) & PASSWORD_FLAG) !== 0
    if (letters === '' || !isShown || !isWords || isPassword) return []
    return [{ field: readString(field.fullname), page: field.pageposfrom1 ?? undefined, letters }]
  })
}

function readFields(text: string): QpdfField[] {
  const end = text.lastIndexOf('\n}')
  try {
    // warnings may follow
    const { acroform } = JSON.parse(text.slice(0, end + 2)) as { acroform?: { fields?: QpdfField[] } }
    return acroform?.fields ?? []
  } catch {
    return []
  }
}

/** A string of qpdf says in its first letters how it is written; several choices are passed over. */
function readString(value: unknown): string {
  if (typeof value !== 'string') return ''
  return value.startsWith('u:') ? value.slice(2) : value.startsWith('b:') ? '' : value
}
