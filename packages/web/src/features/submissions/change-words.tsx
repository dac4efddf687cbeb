import type { SubmissionChanges } from '@proofdesk/contract/submissions'
import { isolate } from '../../lib/isolate.ts'
import { m } from '../../paraglide/messages.js'

/** What changed, a line each; nothing where nothing did. */
export function ChangeWords({ changes }: { changes: SubmissionChanges }) {
  const { title, added, gone, replaced, renamed, file_names: files, reordered } = changes
  const lines = [
    title === null ? [] : m.changes_title({ title: isolate(title) }),
    added.length > 0 ? m.changes_added({ titles: quote(added, files.added) }) : [],
    gone.length > 0 ? m.changes_gone({ titles: quote(gone, files.gone) }) : [],
    replaced.length > 0 ? m.changes_replaced({ titles: quote(replaced, files.replaced) }) : [],
    renamed.map(({ from, to }, index) =>
      m.changes_renamed({ from: isolate(from), to: isolate(to), file: isolate(files.renamed[index] ?? '') }),
    ),
    reordered ? m.changes_reordered() : [],
  ].flat()
  return lines.map((line, index) => (
    <p key={`${index} ${line}`} className="wrap-anywhere">
      {line}
    </p>
  ))
}

const quote = (titles: string[], files: string[]) =>
  titles
    .map((title, index) => m.changes_quoted({ title: isolate(title), file: isolate(files[index] ?? '') }))
    .join(', ')
