import { useState } from 'react'
import { ErrorBanner } from '../../ui/banner.tsx'
import { useContents } from './api.ts'
import { ContentViewer } from './content-viewer.tsx'

export interface OriginalViewerProps {
  collectionId: number
  /** Absent while nothing is looked at. */
  contentId: number | undefined
  onClose: () => void
}

/** A file as it was uploaded, over the page. */
export function OriginalViewer({ collectionId, contentId, onClose }: OriginalViewerProps) {
  const { data: contents } = useContents(collectionId)
  const [problem, setProblem] = useState<string>()
  const [viewedId, setViewedId] = useState(contentId)
  if (contentId !== viewedId) {
    setViewedId(contentId)
    // What went wrong with the one before says nothing about this one.
    if (contentId !== undefined) setProblem(undefined)
  }
  return (
    <>
      {problem && <ErrorBanner>{problem}</ErrorBanner>}
      <ContentViewer content={contents?.find(({ id }) => id === contentId)} onClose={onClose} onProblem={setProblem} />
    </>
  )
}
