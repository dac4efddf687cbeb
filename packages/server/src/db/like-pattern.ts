import { foldCase } from '../text/fold-case.ts'

/**
 * The pattern for `like … escape '!'` that finds the text anywhere in a case-folded column. What a person types means
 * itself: `%` and `_` are no wildcards.
 */
export function toLikePattern(text: string): string {
  return `%${foldCase(text.trim()).replace(/[%_!]/g, '!$&')}%`
}
