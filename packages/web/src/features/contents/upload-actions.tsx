import { ACCEPTED_FILES } from '@proofdesk/contract/contents'
import { X } from 'lucide-react'
import { useRef } from 'react'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { FileInput } from '../../ui/file-input.tsx'
import { focusFileChoice } from '../../ui/focus-file-choice.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { isIdle, isInFlight, type UploadItem } from './upload-item.ts'
import { cancelItem, removeItem, replaceFile, startUploads, type Room } from './upload-queue.ts'

export interface UploadActionsProps {
  collectionId: number
  item: UploadItem
  room: Room
  /** The button that was pressed goes away with the state it belongs to. */
  onStateLeft: () => void
}

/** What may be done about one file. */
export function UploadActions({ collectionId, item, room, onStateLeft }: UploadActionsProps) {
  const input = useRef<HTMLInputElement>(null)
  const { file, state } = item
  const name = file.name
  if (isInFlight(item))
    return (
      <Button
        className="ms-auto"
        aria-label={m.upload_cancel_named({ file: name })}
        onClick={() => {
          cancelItem(collectionId, item.id)
          onStateLeft()
        }}
      >
        {m.cancel()}
      </Button>
    )
  if (!isIdle(item)) return null
  return (
    <div className="ms-auto flex flex-wrap justify-end gap-2">
      {state !== 'chosen' && item.isFileRefused && (
        <>
          <Button aria-label={m.upload_replace_named({ file: name })} onClick={() => input.current?.click()}>
            {m.upload_replace()}
          </Button>
          <FileInput
            ref={input}
            label={m.upload_replace_named({ file: name })}
            accept={ACCEPTED_FILES}
            onFiles={([chosen]) => {
              if (!chosen) return
              replaceFile(collectionId, item.id, chosen, room)
              onStateLeft()
            }}
          />
        </>
      )}
      {state !== 'chosen' && !item.isFileRefused && (
        <Button
          aria-label={m.upload_retry_named({ file: name })}
          onClick={() => {
            startUploads(collectionId, [item.id])
            onStateLeft()
          }}
        >
          {m.retry()}
        </Button>
      )}
      <IconButton
        icon={X}
        framed={false}
        label={m.upload_remove_named({ file: name })}
        onClick={() => {
          removeItem(collectionId, item.id)
          focusFileChoice()
        }}
      />
    </div>
  )
}
