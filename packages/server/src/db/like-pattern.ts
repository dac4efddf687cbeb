import { toEmailKey } from '../text/email-key.ts'
import { foldCase } from '../text/fold-case.ts'

/** What a person looks for, as the case-folded columns have it. */
export function foldSought(text: string): string {
  return foldCase(text.trim())
}

/**
 * The pattern for `like … escape '!'` that finds the text anywhere in a case-folded column. What a person types means
 * itself: `%` and `_` are no wildcards.
 */
export function toLikePattern(text: string): string {
  return findAnywhere(foldSought(text))
}

/** The same for a column of e-mail addresses. */
export function toEmailPattern(text: string): string {
  return findAnywhere(foldSoughtEmail(text))
}

/** What to look for where names and e-mail addresses stand together: two texts where the ways they are folded differ. */
export function foldSoughtInBoth(text: string): string[] {
  return [...new Set([foldSought(text), foldSoughtEmail(text)])]
}

function foldSoughtEmail(text: string): string {
  return toEmailKey(text.trim())
}

function findAnywhere(sought: string): string {
  return `%${sought.replace(/[%_!]/g, '!$&')}%`
}
