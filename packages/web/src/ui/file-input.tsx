import type { Ref } from 'react'

interface FileInputProps {
  ref: Ref<HTMLInputElement>
  label: string
  accept: string
  multiple?: boolean
  onFiles: (files: File[]) => void
}

/** The browser's own control, out of sight; a button beside it opens its dialog. */
export function FileInput({ ref, label, accept, multiple = false, onFiles }: FileInputProps) {
  return (
    <input
      ref={ref}
      type="file"
      accept={accept}
      multiple={multiple}
      tabIndex={-1}
      aria-label={label}
      className="sr-only"
      onChange={({ target }) => {
        const files = [...(target.files ?? [])]
        // So that choosing the same file once more counts as a choice.
        target.value = ''
        if (files.length > 0) onFiles(files)
      }}
    />
  )
}
