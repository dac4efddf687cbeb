import type { Collection } from '@proofdesk/contract/collections'
import { ACCEPTED_FILES, ContentFields, type TitleType } from '@proofdesk/contract/contents'
import { FILE_SIZE_LABEL_MB } from '@proofdesk/contract/limits'
import { canAddContent } from '@proofdesk/contract/permissions'
import { useRef, useState, type SubmitEvent } from 'react'
import { formatFileSize } from '../../lib/file-size.ts'
import { useUser } from '../../lib/session.ts'
import { sayIssue } from '../../lib/words.ts'
import { m } from '../../paraglide/messages.js'
import { ErrorBanner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { FileField } from '../../ui/file-field.tsx'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { showToast } from '../../ui/toast.ts'
import { useCreateContent, useMaxUploadMb } from './api.ts'
import { TitleFields } from './title-fields.tsx'
import { wordsOfUploadFailure } from './upload-failure.ts'

const BYTES_PER_MB = 1024 * 1024

interface Problems {
  title?: string | undefined
  file?: string | undefined
  form?: string | undefined
}

/** Adds one file. What was chosen and typed stays until it is stored. */
export function AddContentForm({ collection }: { collection: Collection }) {
  const viewer = useUser()
  const [titleType, setTitleType] = useState<TitleType>('TYPE1')
  const [title, setTitle] = useState('')
  const [file, setFile] = useState<File>()
  const [problems, setProblems] = useState<Problems>({})
  const [share, setShare] = useState(0)
  const cancel = useRef<AbortController>(null)
  const { mutate, isPending } = useCreateContent()

  function handleSubmit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    const isBlank = titleType === 'OTHER' && title.trim() === ''
    if (isPending || isBlank || !canAddContent(viewer, collection))
      return setProblems({ form: m.content_blocked(), ...(isBlank && { title: m.content_title_required() }) })
    const fields = { title_type: titleType, title, collection: String(collection.id) }
    const checked = ContentFields.safeParse(fields)
    const found = {
      title: sayIssue(checked.error?.issues[0]?.message),
      file: file ? undefined : m.file_required(),
    }
    setProblems(found)
    if (checked.success && file) start(file, fields)
  }

  function start(chosen: File, fields: Record<string, string>) {
    const { signal } = (cancel.current = new AbortController())
    setShare(0)
    mutate({ fields, file: chosen, signal, onProgress: setShare }, { onSuccess: handleCreated, onError: handleFailure })
  }

  function handleCreated() {
    setFile(undefined)
    setTitle('')
    showToast(m.content_created())
  }

  function handleFailure(error: Error) {
    setProblems({ form: wordsOfUploadFailure(error) })
  }

  function chooseFile(chosen: File | undefined) {
    setFile(chosen)
    setProblems({})
  }

  return (
    <section aria-labelledby="add-content" className="sheet p-4 sm:p-5">
      <h2 id="add-content" className="font-serif text-xl font-semibold">
        {m.content_add()}
      </h2>
      <p className="text-sm text-ink-2">{m.content_add_lead()}</p>
      <form noValidate onSubmit={handleSubmit} aria-busy={isPending} className="mt-4 grid gap-4">
        {problems.form && <ErrorBanner>{problems.form}</ErrorBanner>}
        <div className="grid gap-4 sm:grid-cols-2">
          <TitleFields
            titleType={titleType}
            title={title}
            error={problems.title}
            disabled={isPending}
            onTitleType={setTitleType}
            onTitle={setTitle}
          />
        </div>
        <FileField
          label={m.content_file_label()}
          hint={<FileHint />}
          error={problems.file}
          accept={ACCEPTED_FILES}
          file={file}
          fileNote={file && <FileNote file={file} />}
          disabled={isPending}
          onFile={chooseFile}
          onTooMany={() => setProblems({ file: m.file_only_one() })}
        />
        {isPending && file && <UploadProgress file={file} share={share} onCancel={() => cancel.current?.abort()} />}
        <div className="flex justify-end">
          <Button type="submit" kind="brand" busy={isPending}>
            {m.content_add()}
          </Button>
        </div>
      </form>
    </section>
  )
}

/** The 5MB are a label; the operator's limit is the one that counts. */
function FileHint() {
  const max = useMaxUploadMb()
  return (
    <>
      {m.content_file_hint({ max: FILE_SIZE_LABEL_MB })}
      <span className="block min-h-[1lh]">{max !== undefined && m.content_file_limit({ max })}</span>
    </>
  )
}

/** Only a hint: what is too large is for the server to say. */
function FileNote({ file }: { file: File }) {
  const max = useMaxUploadMb()
  const size = formatFileSize(file.size)
  if (max === undefined || file.size <= max * BYTES_PER_MB) return size
  return <span className="text-warn">{m.content_file_over_limit({ size, max })}</span>
}

function UploadProgress({ file, share, onCancel }: { file: File; share: number; onCancel: () => void }) {
  return (
    <div className="flex flex-wrap items-end gap-x-4 gap-y-2">
      <div className="grow basis-48">
        {share < 1 ? (
          <ProgressBar label={m.content_uploading({ file: file.name })} share={share} />
        ) : (
          <output className="flex items-center gap-2 text-sm text-ink-2">
            <Spinner />
            {m.content_checking()}
          </output>
        )}
      </div>
      <Button onClick={onCancel}>{m.content_upload_cancel()}</Button>
    </div>
  )
}
