import { ContentFields } from '@proofdesk/contract/contents'
import { sayIssue } from '../../lib/words.ts'
import { titleOf, type TitleChoice, type UploadItem, type UploadQueue } from './upload-item.ts'

export interface TitleProblems {
  /** Of the title for all. */
  shared?: string | undefined
  /** Of files with a title of their own, by the item's id. */
  ofItem: Partial<Record<number, string>>
}

/** Judges the titles of what is to be sent; where nothing is, the one for all. */
export function checkTitles(
  collectionId: number,
  queue: UploadQueue,
  items: readonly UploadItem[],
): TitleProblems & { isBlank: boolean; isFine: boolean } {
  const judge = ({ titleType, title }: TitleChoice) => {
    const checked = ContentFields.safeParse({ title_type: titleType, title, collection: String(collectionId) })
    return sayIssue(checked.error?.issues[0]?.message)
  }
  const isBlank = ({ titleType, title }: TitleChoice) => titleType === 'OTHER' && title.trim() === ''
  const choices = items.length === 0 ? [queue.shared] : items.map((item) => titleOf(item, queue))
  const isSharedUsed = items.length === 0 || items.some(({ own }) => own === undefined)
  const shared = isSharedUsed ? judge(queue.shared) : undefined
  const ofItem: Partial<Record<number, string>> = {}
  for (const { id, own } of items) {
    const problem = own && judge(own)
    if (problem !== undefined) ofItem[id] = problem
  }
  const isFine = shared === undefined && Object.keys(ofItem).length === 0
  return { shared, ofItem, isBlank: choices.some(isBlank), isFine }
}
