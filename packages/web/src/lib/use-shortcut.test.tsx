import { fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { useCommandShortcut, useShortcut } from './use-shortcut.ts'

function Page({
  onRun,
  hasDialog = false,
  enabled = true,
}: {
  onRun: () => void
  hasDialog?: boolean
  enabled?: boolean
}) {
  useShortcut('a', onRun, enabled)
  useShortcut('arrowdown', onRun, enabled)
  return (
    <>
      <button type="button">Somewhere</button>
      <textarea aria-label="Text" />
      <select aria-label="Document" />
      <input aria-label="Page number" inputMode="numeric" />
      {hasDialog && <dialog open aria-label="Question" />}
    </>
  )
}

test('2.157 Alt and the letter run it, the letter alone does not, nor with another key held', async () => {
  let runs = 0
  render(<Page onRun={() => runs++} />)
  const person = userEvent.setup()
  await person.keyboard('a')
  await person.keyboard('{Control>}{Alt>}a{/Alt}{/Control}')
  expect(runs).toBe(0)
  await person.keyboard('{Alt>}a{/Alt}')
  expect(runs).toBe(1)
})

test('2.157 the keys belong to the text while somebody types, and to a dialog while one is open', async () => {
  let runs = 0
  const { rerender } = render(<Page onRun={() => runs++} />)
  const person = userEvent.setup()
  await person.click(screen.getByLabelText('Text'))
  await person.keyboard('{Alt>}a{/Alt}')
  await person.click(screen.getByText('Somewhere'))
  rerender(<Page onRun={() => runs++} hasDialog />)
  await person.keyboard('{Alt>}a{/Alt}')
  rerender(<Page onRun={() => runs++} enabled={false} />)
  await person.keyboard('{Alt>}a{/Alt}')
  expect(runs).toBe(0)
})

test('2.157 whoever has just chosen a document or typed the number of a page decides by keys all the same', async () => {
  let runs = 0
  render(<Page onRun={() => runs++} />)
  const person = userEvent.setup()
  for (const name of ['Document', 'Page number']) {
    screen.getByLabelText(name).focus()
    await person.keyboard('{Alt>}{ArrowDown}{/Alt}')
    expect(runs).toBe(0)
    await person.keyboard('{Alt>}a{/Alt}')
    expect(runs).toBe(1)
    runs = 0
  }
})

function Commands({ onRun, hasDialog = false }: { onRun: () => void; hasDialog?: boolean }) {
  useCommandShortcut('k', onRun)
  return (
    <>
      <textarea aria-label="Text" />
      {hasDialog && <dialog open aria-label="Question" />}
    </>
  )
}

test('Ctrl and the letter run a command, also while somebody types, but not with another key or beside a dialog', async () => {
  let runs = 0
  const { rerender } = render(<Commands onRun={() => runs++} />)
  const person = userEvent.setup()
  await person.keyboard('k{Alt>}k{/Alt}{Control>}{Shift>}k{/Shift}{/Control}{Control>}{Alt>}k{/Alt}{/Control}')
  expect(runs).toBe(0)
  await person.keyboard('{Control>}k{/Control}')
  expect(runs).toBe(1)
  await person.click(screen.getByLabelText('Text'))
  await person.keyboard('{Control>}k{/Control}')
  expect(runs).toBe(2)
  expect(screen.getByLabelText<HTMLTextAreaElement>('Text').value).toBe('')
  // A keyboard of another script types another letter there; one of ours that stands elsewhere is none.
  fireEvent.keyDown(document, { key: 'л', code: 'KeyK', ctrlKey: true })
  fireEvent.keyDown(document, { key: 't', code: 'KeyK', ctrlKey: true })
  expect(runs).toBe(3)
  rerender(<Commands onRun={() => runs++} hasDialog />)
  await person.keyboard('{Control>}k{/Control}')
  expect(runs).toBe(3)
})
