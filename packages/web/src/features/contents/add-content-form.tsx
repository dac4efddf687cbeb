import type { Collection } from '@proofdesk/contract/collections'
import { ACCEPTED_FILES } from '@proofdesk/contract/contents'
import { FILE_SIZE_LABEL_MB } from '@proofdesk/contract/limits'
import { useState, type SubmitEvent } from 'react'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { joinClasses } from '../../ui/class-names.ts'
import { FilesField } from '../../ui/files-field.tsx'
import { focusFileChoice } from '../../ui/focus-file-choice.ts'
import { focusFirstFault } from '../../ui/focus-first-fault.ts'
import { SeenBanner } from '../../ui/seen-banner.tsx'
import { useFileDrop, type DroppedFiles } from '../../ui/use-file-drop.ts'
import { usePastedFiles } from '../../ui/use-pasted-files.ts'
import { useMaxUploadMb } from './api.ts'
import { checkTitles, type TitleProblems } from './check-titles.ts'
import { namePastedFiles } from './name-pasted-files.ts'
import { TitleFields } from './title-fields.tsx'
import { isLone, listSendable, type UploadQueue } from './upload-item.ts'
import { UploadList } from './upload-list.tsx'
import { changeQueue, chooseFiles, startUploads, useUploadQueue } from './upload-queue.ts'

interface Problems extends TitleProblems {
  file?: string | undefined
  form?: string | undefined
  /** Pressed again while files are on their way; told for as long as they are. */
  isEarly?: boolean
}

const NONE: Problems = { ofItem: {} }

/** Adds files, several at once if there are several. What was chosen and typed stays until it is stored. */
export function AddContentForm({ collection }: { collection: Collection }) {
  const queue = useUploadQueue(collection.id)
  const maxUploadMb = useMaxUploadMb()
  const [problems, setProblems] = useState(NONE)
  const [skipped, setSkipped] = useState<string[]>([])
  const { isOver, target } = useFileDrop(takeDropped)
  usePastedFiles((files) => takeFiles(namePastedFiles(files, new Date())))
  const room = { maxUploadMb, contentCount: collection.content_count }
  const sendable = listSendable(queue)
  const isBusy = queue.isRunning && !sendable.some(({ state }) => state === 'chosen')

  function takeFiles(files: File[]) {
    setProblems(NONE)
    setSkipped([])
    chooseFiles(collection.id, files, room)
  }

  function takeDropped({ files, folders }: DroppedFiles) {
    if (files.length > 0) takeFiles(files)
    setSkipped(folders)
  }

  const tellEarly = () => setProblems({ ...problems, isEarly: true })

  function handleSubmit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (isBusy) return tellEarly()
    const titles = checkTitles(collection.id, queue, sendable)
    if (titles.isBlank || !collection.may.change_contents) setProblems({ ...titles, form: m.content_blocked() })
    else if (sendable.length === 0) setProblems({ ...titles, file: m.file_required() })
    else setProblems(titles)
    if (!titles.isFine) focusFirstFault(event.currentTarget)
    else if (sendable.length === 0) focusFileChoice()
    else if (collection.may.change_contents)
      startUploads(
        collection.id,
        sendable.map(({ id }) => id),
      )
  }

  const early = problems.isEarly && isBusy ? m.content_blocked() : undefined
  const formProblem = problems.form ?? early ?? tellLone(queue)
  return (
    <section
      {...target}
      aria-labelledby="add-content"
      className={joinClasses('sheet p-4 sm:p-5', isOver && 'border-brand bg-brand-wash')}
    >
      <h2 id="add-content" className="font-serif text-xl font-semibold">
        {m.content_add()}
      </h2>
      <p className="text-sm text-ink-2">{m.content_add_lead()}</p>
      <form noValidate onSubmit={handleSubmit} aria-busy={queue.isRunning} className="mt-4 grid gap-4">
        {formProblem && <SeenBanner text={formProblem} />}
        <div className="grid gap-4 sm:grid-cols-2">
          <TitleFields
            choice={queue.shared}
            error={problems.shared}
            onChange={(shared) => changeQueue(collection.id, { shared })}
          />
        </div>
        <FilesField
          label={m.content_file_label()}
          hint={<FileHint max={maxUploadMb} />}
          error={problems.file}
          accept={ACCEPTED_FILES}
          isOver={isOver}
          onFiles={takeFiles}
        />
        {skipped.length > 0 && (
          <output className="text-sm text-warn">{m.files_folders_skipped({ names: skipped.join(', ') })}</output>
        )}
        <UploadList collectionId={collection.id} queue={queue} room={room} titleProblems={problems.ofItem} />
        <div className="flex justify-end">
          <Button
            type="submit"
            kind="brand"
            busy={isBusy}
            // A busy button submits nothing, by Enter in a field neither.
            onClickCapture={() => isBusy && tellEarly()}
          >
            {m.content_add()}
          </Button>
        </div>
      </form>
    </section>
  )
}

/** A single file needs no list to tell how it went: the form does. */
function tellLone(queue: UploadQueue): string | undefined {
  const [lone] = queue.items
  if (!isLone(queue)) return undefined
  return lone?.state === 'cancelled' ? m.content_upload_cancelled() : lone?.problem
}

/** The 5MB are a label; the operator's limit is the one that counts. */
function FileHint({ max }: { max: number | undefined }) {
  return (
    <>
      {m.content_file_hint({ max: FILE_SIZE_LABEL_MB })}
      <span className="block min-h-[1lh]">{max !== undefined && m.content_file_limit({ max })}</span>
    </>
  )
}
