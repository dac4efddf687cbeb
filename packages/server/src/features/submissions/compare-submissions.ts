import type { SubmissionChanges } from '@proofdesk/contract/submissions'
import { sayEnglish } from '@proofdesk/contract/messages'
import type { SentFile, SubmissionRecord } from './queries.ts'

type Compared = Pick<SubmissionRecord, 'title' | 'files'>

/** What is different in `after`. Files are told apart by the content they were. */
export function compareSubmissions(before: Compared, after: Compared): SubmissionChanges {
  const [old, now] = [before, after].map(({ files }) => new Map(files.map((file) => [file.content_id, file])))
  const kept = after.files.flatMap((file) => {
    const was = old?.get(file.content_id)
    return was ? [{ was, is: file }] : []
  })
  const orderBefore = before.files.filter(({ content_id }) => now?.has(content_id))
  const added = after.files.filter(({ content_id }) => !old?.has(content_id))
  const gone = before.files.filter(({ content_id }) => !now?.has(content_id))
  const replaced = kept.filter(({ was, is }) => was.sha256 !== is.sha256).map(({ is }) => is)
  const renamed = kept.filter(({ was, is }) => was.title !== is.title)
  const nameFiles = (files: readonly SentFile[]) => files.map(({ file_name }) => file_name)
  return {
    title: before.title === after.title ? null : before.title,
    added: added.map(({ title }) => title),
    gone: gone.map(({ title }) => title),
    replaced: replaced.map(({ title }) => title),
    renamed: renamed.map(({ was, is }) => ({ from: was.title, to: is.title })),
    file_names: {
      added: nameFiles(added),
      gone: nameFiles(gone),
      replaced: nameFiles(replaced),
      renamed: nameFiles(renamed.map(({ is }) => is)),
    },
    reordered: kept.some(({ is }, index) => orderBefore[index]?.content_id !== is.content_id),
  }
}

/** The changes in words, each a sentence; '' when there are none. */
export function sayChanges(changes: SubmissionChanges): string {
  const { title, added, gone, replaced, renamed, file_names: files, reordered } = changes
  const list = (titles: string[], names: string[]) =>
    titles.map((named, index) => sayEnglish('changes_quoted', { title: named, file: names[index] ?? '' })).join(', ')
  return [
    title !== null && sayEnglish('changes_title', { title }),
    added.length > 0 && sayEnglish('changes_added', { titles: list(added, files.added) }),
    gone.length > 0 && sayEnglish('changes_gone', { titles: list(gone, files.gone) }),
    replaced.length > 0 && sayEnglish('changes_replaced', { titles: list(replaced, files.replaced) }),
    ...renamed.map(({ from, to }, index) =>
      sayEnglish('changes_renamed', { from, to, file: files.renamed[index] ?? '' }),
    ),
    reordered && sayEnglish('changes_reordered'),
  ]
    .filter((sentence) => sentence !== false)
    .join(' ')
}
