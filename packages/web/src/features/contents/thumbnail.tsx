import type { Content } from '@proofdesk/contract/contents'
import { FileImage, FileText } from 'lucide-react'
import { useCallback } from 'react'
import { m } from '../../paraglide/messages.js'
import { useThumbnail } from './use-thumbnail.ts'

export interface ThumbnailProps {
  content: Content
  onView: (content: Content) => void
}

/**
 * The first page, small; an icon of the type until it is here, in a box that keeps its size. Pressing it shows the file, as
 * the button beside it does: that one is where the keyboard stops.
 */
export function Thumbnail({ content, onView }: ThumbnailProps) {
  const { setBox, picture } = useThumbnail(content)
  const Icon = content.type === 'PDF' ? FileText : FileImage
  return (
    <button
      ref={setBox}
      type="button"
      tabIndex={-1}
      aria-label={m.content_thumbnail_named({ title: content.title, file: content.file_name })}
      className="grid h-16 w-12 shrink-0 cursor-pointer place-items-center overflow-hidden rounded-sm border border-line bg-sunk text-ink-2 hover:border-line-strong"
      onClick={() => onView(content)}
    >
      {picture ? <Picture blob={picture} /> : <Icon aria-hidden size={18} strokeWidth={1.7} />}
    </button>
  )
}

/** Its address lives as long as it is shown. */
function Picture({ blob }: { blob: Blob }) {
  const show = useCallback(
    (image: HTMLImageElement) => {
      const url = URL.createObjectURL(blob)
      image.src = url
      return () => URL.revokeObjectURL(url)
    },
    [blob],
  )
  return <img ref={show} alt="" draggable={false} className="max-h-full max-w-full object-contain" />
}
