import type { ApiDocument } from '@proofdesk/contract/openapi'
import { showApiDocument } from '@proofdesk/contract/reference'
import { useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { ApiReference } from '../../features/reference/api-reference.tsx'
import { call } from '../../lib/call.ts'
import { m } from '../../paraglide/messages.js'
import { FailedState } from '../../ui/failed-state.tsx'
import { PageHeading } from '../../ui/page-heading.tsx'
import { LoadingArea } from '../../ui/spinner.tsx'

/** The reference of the API, made in the browser from the same document that programs read. */
export default function ApiPage() {
  const { hash } = useLocation()
  const [answer, setAnswer] = useState<ApiDocument | 'failed'>()
  const [tries, setTries] = useState(0)

  useEffect(() => {
    const leaving = new AbortController()
    call(showApiDocument, {}, { signal: leaving.signal }).then(
      (document) => setAnswer(document as unknown as ApiDocument),
      (error: unknown) => {
        if (leaving.signal.aborted) return
        console.error('The API document could not be loaded', error)
        setAnswer('failed')
      },
    )
    return () => leaving.abort()
  }, [tries])

  function retry() {
    setAnswer(undefined)
    setTries((count) => count + 1)
  }

  return (
    <>
      <PageHeading title={m.api_title()} lead={m.api_lead()} />
      {answer === undefined && <LoadingArea />}
      {answer === 'failed' && <FailedState onRetry={retry} />}
      {answer !== undefined && answer !== 'failed' && <ApiReference document={answer} target={hash.slice(1)} />}
    </>
  )
}
