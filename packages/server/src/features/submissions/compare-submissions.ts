import type { SubmissionChanges } from '@proofdesk/contract/submissions'
import { sayEnglish } from '@proofdesk/contract/messages'
import type { SubmissionRecord } from './queries.ts'

type Compared = Pick<SubmissionRecord, 'title' | 'files'>

/** What is different in `after`. Files are told apart by the content they were. */
export function compareSubmissions(before: Compared, after: Compared): SubmissionChanges {
  const [old, now] = [before, after].map(({ files }) => new Map(files.map((file) => [file.content_id, file])))
  const kept = after.files.flatMap((file) => {
    const was = old?.get(file.content_id)
    return was ? [{ was, is: file }] : []
  })
  const orderBefore = before.files.filter(({ content_id }) => now?.has(content_id))
  return {
    title: before.title === after.title ? null : before.title,
    added: after.files.filter(({ content_id }) => !old?.has(content_id)).map(({ title }) => title),
    gone: before.files.filter(({ content_id }) => !now?.has(content_id)).map(({ title }) => title),
    replaced: kept.filter(({ was, is }) => was.sha256 !== is.sha256).map(({ is }) => is.title),
    renamed: kept
      .filter(({ was, is }) => was.title !== is.title)
      .map(({ was, is }) => ({ from: was.title, to: is.title })),
    reordered: kept.some(({ is }, index) => orderBefore[index]?.content_id !== is.content_id),
  }
}

/** The changes in words, each a sentence; '' when there are none. */
export function sayChanges(changes: SubmissionChanges): string {
  const list = (titles: string[]) => titles.map((title) => `“${title}”`).join(', ')
  const { title, added, gone, replaced, renamed, reordered } = changes
  return [
    title !== null && sayEnglish('changes_title', { title }),
    added.length > 0 && sayEnglish('changes_added', { titles: list(added) }),
    gone.length > 0 && sayEnglish('changes_gone', { titles: list(gone) }),
    replaced.length > 0 && sayEnglish('changes_replaced', { titles: list(replaced) }),
    ...renamed.map(({ from, to }) => sayEnglish('changes_renamed', { from, to })),
    reordered && sayEnglish('changes_reordered'),
  ]
    .filter((sentence) => sentence !== false)
    .join(' ')
}
