import type { Ref } from 'react'

interface FileInputProps {
  ref: Ref<HTMLInputElement>
  /** What it is for; nobody hears it, it tells one from another in the page. */
  label: string
  accept: string
  multiple?: boolean
  onFiles: (files: File[]) => void
}

/** The browser's own control, which nobody sees or hears: what opens its dialog is the one control for that. */
export function FileInput({ ref, label, accept, multiple = false, onFiles }: FileInputProps) {
  return (
    <input
      ref={ref}
      type="file"
      accept={accept}
      multiple={multiple}
      hidden
      aria-label={label}
      onChange={({ target }) => {
        const files = [...(target.files ?? [])]
        // So that choosing the same file once more counts as a choice.
        target.value = ''
        if (files.length > 0) onFiles(files)
      }}
    />
  )
}
