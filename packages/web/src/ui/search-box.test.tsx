import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { SearchBox } from './search-box.tsx'

function Search() {
  const [text, setText] = useState('')
  return <SearchBox label="Search" text={text} onText={setText} />
}

test('whoever clears the search goes on in its field', async () => {
  render(<Search />)
  const person = userEvent.setup()
  const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'Search' })
  await person.type(field, 'lease')
  await person.tab()
  await person.keyboard('{Enter}')
  expect(field.value).toBe('')
  expect(document.activeElement).toBe(field)
})
