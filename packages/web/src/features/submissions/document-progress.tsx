import { m } from '../../paraglide/messages.js'
import { WarnBanner } from '../../ui/banner.tsx'
import { Sentence } from '../../ui/sentence.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { useSubmissions } from './api.ts'

/** In the place of a review document that is on its way. */
export function DocumentPreparing() {
  return (
    <output className="sheet grid min-h-60 content-center justify-items-center gap-4 p-6 text-center">
      <Spinner />
      <span className="max-w-md text-ink-2">{m.document_preparing_text()}</span>
    </output>
  )
}

/** Why there is no review document of what waits. */
export function DocumentProblem({ collectionId }: { collectionId: number }) {
  const { data } = useSubmissions(collectionId, 1)
  const problem = data?.results[0]?.document.problem
  return (
    <WarnBanner>
      <p>{m.document_failed()}</p>
      {problem && (
        <p className="wrap-anywhere">
          {problem.file !== null && <Sentence say={(title) => m.document_problem_of({ title })} text={problem.file} />}{' '}
          {problem.detail}
        </p>
      )}
    </WarnBanner>
  )
}
