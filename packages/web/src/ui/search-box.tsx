import { Search, X } from 'lucide-react'
import { useRef } from 'react'
import { m } from '../paraglide/messages.js'

export interface SearchBoxProps {
  label: string
  /** Where the label is too long for a narrow window; otherwise the label. */
  placeholder?: string | undefined
  text: string
  onText: (text: string) => void
}

export function SearchBox({ label, placeholder = label, text, onText }: SearchBoxProps) {
  const field = useRef<HTMLInputElement>(null)

  /** The button goes with the text, and the focus would go with the button. */
  function clear() {
    field.current?.focus()
    onText('')
  }

  return (
    <search className="relative grow">
      <Search
        aria-hidden
        size={17}
        className="pointer-events-none absolute start-3 top-1/2 -translate-y-1/2 text-ink-2"
      />
      <input
        ref={field}
        type="text"
        inputMode="search"
        aria-label={label}
        placeholder={placeholder}
        value={text}
        onChange={(event) => onText(event.target.value)}
        className="min-h-10 w-full rounded-control border border-line-strong bg-sheet ps-9.5 pe-10 placeholder:text-ink-2 placeholder-shown:pe-3"
      />
      {text && (
        <button
          type="button"
          aria-label={m.search_clear()}
          title={m.search_clear()}
          onClick={clear}
          className="absolute inset-y-0 end-1 my-auto flex size-8 items-center justify-center rounded-md text-ink-2 hover:bg-sunk hover:text-ink"
        >
          <X aria-hidden size={16} />
        </button>
      )}
    </search>
  )
}
