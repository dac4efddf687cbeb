import { File as FileIcon } from 'lucide-react'
import { useRef } from 'react'
import { formatFileSize } from '../../lib/file-size.ts'
import { m } from '../../paraglide/messages.js'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import { UserText } from '../../ui/user-text.tsx'
import { TitleFields } from './title-fields.tsx'
import { isIdle, titleOf, type UploadItem, type UploadQueue } from './upload-item.ts'
import { UploadActions } from './upload-actions.tsx'
import { changeItem, type Room } from './upload-queue.ts'
import { UploadStateWords } from './upload-state-words.tsx'

export interface UploadRowProps {
  collectionId: number
  item: UploadItem
  queue: UploadQueue
  room: Room
  /** The form speaks for a single file. */
  isLone: boolean
  titleProblem: string | undefined
}

/** One file: its title, how far it has come, and what may be done about it. */
export function UploadRow(props: UploadRowProps) {
  const { collectionId, item, queue, isLone, titleProblem } = props
  const { file, state } = item
  const row = useRef<HTMLLIElement>(null)
  const hasOwnTitle = isIdle(item) && !isLone
  return (
    <li ref={row} tabIndex={-1} aria-label={file.name} className="grid gap-2 py-3">
      <div className="flex flex-wrap items-start gap-x-3 gap-y-2">
        <FileIcon aria-hidden size={20} className="mt-1 shrink-0 text-ink-2" />
        <div className="grid min-w-0 grow basis-40 gap-0.5">
          <span>
            <UserText>{file.name}</UserText>
          </span>
          <span className="flex flex-wrap items-center gap-x-3 text-sm text-ink-2">
            {formatFileSize(file.size)}
            <UploadStateWords item={item} isLone={isLone} />
          </span>
        </div>
        <UploadActions
          collectionId={collectionId}
          item={item}
          room={props.room}
          onStateLeft={() => row.current?.focus()}
        />
      </div>
      {(state === 'uploading' || state === 'checking') && (
        <ProgressBar label={m.content_uploading({ file: file.name })} labelHidden share={item.share} />
      )}
      {hasOwnTitle && (
        <div className="grid gap-2 sm:grid-cols-2">
          <TitleFields
            file={file.name}
            choice={titleOf(item, queue)}
            error={titleProblem}
            onChange={(own) => changeItem(collectionId, item.id, { own })}
          />
        </div>
      )}
    </li>
  )
}
