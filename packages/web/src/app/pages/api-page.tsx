import type { ApiDocument } from '@proofdesk/contract/openapi'
import { showApiDocument } from '@proofdesk/contract/reference'
import { useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { ApiReference } from '../../features/reference/api-reference.tsx'
import { call } from '../../lib/call.ts'
import { m } from '../../paraglide/messages.js'
import { FailedPart } from '../../ui/failed-part.tsx'
import { PageHeading } from '../../ui/page-heading.tsx'
import { LoadingArea } from '../../ui/spinner.tsx'

/** The reference of the API, made in the browser from the same document that programs read. */
export default function ApiPage() {
  const { hash } = useLocation()
  const [answer, setAnswer] = useState<ApiDocument | 'failed'>()

  useEffect(() => {
    const leaving = new AbortController()
    void loadDocument(leaving.signal).then((loaded) => loaded && setAnswer(loaded))
    return () => leaving.abort()
  }, [])

  async function retry() {
    setAnswer(undefined)
    setAnswer(await loadDocument())
  }

  return (
    <>
      <PageHeading title={m.api_title()} lead={m.api_lead()} />
      {answer === undefined && <LoadingArea />}
      {answer === 'failed' && <FailedPart onRetry={() => void retry()} />}
      {answer !== undefined && answer !== 'failed' && <ApiReference document={answer} target={hash.slice(1)} />}
    </>
  )
}

/** @returns undefined when the screen was left in the meantime. */
async function loadDocument(signal?: AbortSignal): Promise<ApiDocument | 'failed' | undefined> {
  try {
    return (await call(showApiDocument, {}, { signal })) as unknown as ApiDocument
  } catch (error) {
    if (signal?.aborted) return undefined
    console.error('The API document could not be loaded', error)
    return 'failed'
  }
}
