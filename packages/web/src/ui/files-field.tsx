import { Upload } from 'lucide-react'
import { useId, useRef, type ReactNode } from 'react'
import { m } from '../paraglide/messages.js'
import { Button } from './button.tsx'
import { joinClasses } from './class-names.ts'
import { FileInput } from './file-input.tsx'

export interface FilesFieldProps {
  label: string
  hint: ReactNode
  error?: string | undefined
  /** As in the `accept` attribute. */
  accept: string
  /** Files are being dragged over whatever takes them. */
  isOver: boolean
  onFiles: (files: File[]) => void
}

/** A field that adds files by the browser's dialog, from the keyboard too. What takes dropped ones stands around it. */
export function FilesField({ label, hint, error, accept, isOver, onFiles }: FilesFieldProps) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  return (
    <fieldset className="grid min-w-0 gap-1.5">
      <legend className="mb-1.5 text-[0.933rem] font-[560]">{label}</legend>
      <div
        className={joinClasses(
          'flex min-h-24 flex-wrap items-center gap-x-3 gap-y-2 rounded-control border border-dashed px-4 py-3',
          isOver ? 'border-brand' : error ? 'border-seal' : 'border-line-strong',
        )}
      >
        <Upload aria-hidden size={20} className={joinClasses('shrink-0', isOver ? 'text-brand' : 'text-ink-2')} />
        <span className={isOver ? 'text-brand' : 'text-ink-2'}>{isOver ? m.files_drop_now() : m.files_drop()}</span>
        <Button
          data-choose-files
          aria-describedby={`${id}-hint${error ? ` ${id}-error` : ''}`}
          onClick={() => input.current?.click()}
        >
          {m.files_choose()}
        </Button>
        <FileInput ref={input} label={label} accept={accept} multiple onFiles={onFiles} />
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
