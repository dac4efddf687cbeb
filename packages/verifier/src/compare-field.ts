import { comparePrinted, type PrintedField } from '@proofdesk/proof/paper/compare-printed'
import type { PaperClaims } from '@proofdesk/proof/paper/paper-claims'

/**
 * How a field as it was typed from the page goes with the code.
 * - `beginning`: it begins with all that the code holds of it, which says nothing of the rest
 */
export type FieldComparison = 'same' | 'beginning' | 'differs'

/** @returns undefined where nothing was typed */
export function compareField(field: PrintedField, claims: PaperClaims, typed: string): FieldComparison | undefined {
  const fits = comparePrinted(field, claims, typed)
  if (fits === undefined) return undefined
  if (!fits) return 'differs'
  return isCut(field, claims) ? 'beginning' : 'same'
}

/** Whether the code holds only the beginning of a field. */
export function isCut(field: PrintedField, { isTitleCut, isOrganisationCut }: PaperClaims): boolean {
  return (field === 'title' && isTitleCut) || (field === 'organisation' && isOrganisationCut)
}
