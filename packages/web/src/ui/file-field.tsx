import { File as FileIcon, Upload, X } from 'lucide-react'
import { useId, useRef, useState, type DragEvent, type ReactNode } from 'react'
import { m } from '../paraglide/messages.js'
import { Button } from './button.tsx'
import { joinClasses } from './class-names.ts'
import { IconButton } from './icon-button.tsx'
import { UserText } from './user-text.tsx'

export interface FileFieldProps {
  label: string
  hint: ReactNode
  error?: string | undefined
  /** As in the `accept` attribute. */
  accept: string
  file: File | undefined
  /** Said beside the file's name, e.g. its size. */
  fileNote?: ReactNode
  disabled?: boolean
  onFile: (file: File | undefined) => void
  /** More than one file was dropped. */
  onTooMany: () => void
}

/** A field for one file, by the browser's dialog (from the keyboard too) or by dropping it here. */
export function FileField(props: FileFieldProps) {
  const { label, hint, error, accept, file, fileNote, disabled = false, onFile } = props
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setIsOver] = useState(false)

  function handleDrag(event: DragEvent, over: boolean) {
    event.preventDefault()
    setIsOver(over && !disabled)
  }

  function handleDrop(event: DragEvent) {
    handleDrag(event, false)
    if (disabled) return
    const [first, ...more] = event.dataTransfer.files
    if (more.length > 0) props.onTooMany()
    else if (first) onFile(first)
  }

  return (
    <fieldset className="grid min-w-0 gap-1.5">
      <legend className="mb-1.5 text-[0.933rem] font-[560]">{label}</legend>
      <div
        onDragOver={(event) => handleDrag(event, true)}
        onDragLeave={(event) => handleDrag(event, false)}
        onDrop={handleDrop}
        className={joinClasses(
          'flex min-h-24 flex-wrap items-center gap-x-3 gap-y-2 rounded-control border border-dashed px-4 py-3',
          isOver ? 'border-brand bg-brand-wash' : error ? 'border-seal' : 'border-line-strong',
        )}
      >
        {file ? (
          <>
            <FileIcon aria-hidden size={20} className="shrink-0 text-ink-2" />
            <span className="grid min-w-0 grow basis-40">
              <UserText>{file.name}</UserText>
              <span className="text-sm text-ink-2">{fileNote}</span>
            </span>
          </>
        ) : (
          <>
            <Upload aria-hidden size={20} className="shrink-0 text-ink-2" />
            <span className="text-ink-2">{m.file_drop()}</span>
          </>
        )}
        <Button
          disabled={disabled}
          aria-describedby={`${id}-hint${error ? ` ${id}-error` : ''}`}
          onClick={() => input.current?.click()}
        >
          {file ? m.file_change() : m.file_choose()}
        </Button>
        {file && !disabled && (
          <IconButton icon={X} label={m.file_remove()} framed={false} onClick={() => onFile(undefined)} />
        )}
        <input
          ref={input}
          type="file"
          accept={accept}
          disabled={disabled}
          tabIndex={-1}
          aria-label={label}
          className="sr-only"
          onChange={({ target }) => {
            const [chosen] = target.files ?? []
            if (chosen) onFile(chosen)
            // So that choosing the same file once more counts as a choice.
            target.value = ''
          }}
        />
      </div>
      <p id={`${id}-hint`} className="text-sm text-ink-2">
        {hint}
      </p>
      {error && (
        <p id={`${id}-error`} className="text-sm text-seal">
          {error}
        </p>
      )}
    </fieldset>
  )
}
