import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { makeCollection } from '../../testing/made-collections.ts'
import { openAs } from '../../testing/open-app.tsx'
import { useGateway } from '../../testing/gateway.ts'
import { leaveServer, useRealServer } from '../../testing/real-server.ts'

test('5.22 6.7 8.59 comments must not be blank, and only one’s own can be deleted', async () => {
  const server = await useRealServer()
  const [ada, sam] = [await server.signIn('ada'), await server.signIn('sam', { is_staff: true })]
  const { id } = await makeCollection(ada, 'Degree', 0)
  await sam.post('/comments/', { collection: id, text: 'From a reviewer' })
  const person = await openAs('ada', `/content/${id}`)
  await screen.findByText('From a reviewer')
  // It came with what it holds, which is not read out; what is added is.
  const log = screen.getByRole('log', { name: 'Comments, oldest first' })
  expect(log.getAttribute('aria-relevant')).toBe('additions')
  expect(screen.queryByRole('button', { name: /^Delete your comment/ })).toBeNull()
  await person.click(screen.getByRole('button', { name: 'Send' }))
  await screen.findByText('Comment cannot be empty')
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Comment')))
  await person.keyboard('From the owner{Control>}{Enter}{/Control}')
  await screen.findByText('Comment created')
  await within(log).findByText('From the owner')
  const texts = (await screen.findAllByRole('listitem')).map((item) => item.textContent)
  expect(texts.findIndex((text) => text.includes('From a reviewer'))).toBeLessThan(
    texts.findIndex((text) => text.includes('From the owner')),
  )
  await person.click(screen.getByRole('button', { name: /^Delete your comment/ }))
  await person.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(screen.queryByText('From the owner')).toBeNull())
  expect(screen.getByText('From a reviewer')).toBeDefined()
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('log', { name: 'Comments, oldest first' })))
})

test('whoever deletes the only comment goes on at the list that is empty then', async () => {
  const server = await useRealServer()
  const ada = await server.signIn('ada')
  const { id } = await makeCollection(ada, 'Degree', 0)
  await ada.post('/comments/', { collection: id, text: 'The only one' })
  const person = await openAs('ada', `/content/${id}`)
  await person.click(await screen.findByRole('button', { name: /^Delete your comment/ }))
  await person.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(screen.queryByText('The only one')).toBeNull())
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('log', { name: 'Comments, oldest first' })))
})

test('of two comments that are deleted at the same time, the one whose deletion fails is told', async () => {
  const server = await useRealServer()
  const ada = await server.signIn('ada')
  const { id } = await makeCollection(ada, 'Degree', 0)
  for (const text of ['First', 'Second']) await ada.post('/comments/', { collection: id, text })
  const gateway = await useGateway()
  gateway.trouble('DELETE /comments/1/', 'late')
  const person = await openAs('ada', `/content/${id}`)
  const deleteComment = async (text: string) => {
    const item = (await screen.findByText(text)).closest('li')!
    await person.click(within(item).getByRole('button', { name: /^Delete your comment/ }))
    await person.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Delete' }))
  }
  await deleteComment('First')
  await deleteComment('Second')
  await waitFor(() => expect(screen.queryByText('Second')).toBeNull())
  const panel = within(screen.getByRole('region', { name: 'Comments' }))
  expect(panel.queryByRole('alert')).toBeNull()
  await server.deps.db.deleteFrom('comments').execute()
  gateway.release()
  expect((await panel.findByRole('alert')).textContent).toContain('Comment not found.')
})

test('8.36 without an answer a comment says at its field that it was not posted, and on a line of its own why', async () => {
  const server = await useRealServer()
  const { id } = await makeCollection(await server.signIn('ada'), 'Degree', 0)
  const person = await openAs('ada', `/content/${id}`)
  const field = await screen.findByLabelText('Comment')
  await person.type(field, 'Is this enough?')
  leaveServer()
  await person.click(screen.getByRole('button', { name: 'Send' }))
  await waitFor(() => expect(field.getAttribute('aria-invalid')).toBe('true'))
  const words = document.getElementById(field.getAttribute('aria-describedby')!)!
  expect(words.textContent).toBe('Failed to post comment\nThe server does not answer.')
  // The class keeps the line end, which HTML makes a space.
  expect(words.classList).toContain('whitespace-pre-line')
})
