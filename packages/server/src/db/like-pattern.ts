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
  return `%${foldSought(text).replace(/[%_!]/g, '!$&')}%`
}
