import { useState } from 'react'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { SearchBox } from '../../ui/search-box.tsx'

export interface TicketSearchProps {
  /** Also the placeholder. */
  label: string
  /** What the list is searched by now. */
  search: string
  onSearch: (search: string) => void
}

/** Searches when it is told to; clearing the box shows everything again. */
export function TicketSearch({ label, search, onSearch }: TicketSearchProps) {
  const [text, setText] = useState(search)
  const [known, setKnown] = useState(search)
  // Going back in the history brings another search along.
  if (search !== known) {
    setKnown(search)
    setText(search)
  }
  return (
    <form
      className="flex min-w-0 grow basis-72 gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        onSearch(text.trim())
      }}
    >
      <SearchBox
        label={label}
        text={text}
        onText={(next) => {
          setText(next)
          if (next === '' && search !== '') onSearch('')
        }}
      />
      <Button type="submit" className="min-h-10">
        {m.tickets_search_action()}
      </Button>
    </form>
  )
}
