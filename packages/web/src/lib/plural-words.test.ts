import { expect, test } from 'vitest'
import { m } from '../paraglide/messages.js'

test('words that count choose their form by the rules of the language', () => {
  const sayPages = (pages: number) => m.content_pages({ size: '2 MB', pages })
  expect([1, 2, 0].map(sayPages)).toEqual(['2 MB, 1 page', '2 MB, 2 pages', '2 MB, 0 pages'])
  const sayWaiting = (count: number) => m.queue_waiting_title({ count })
  expect([1, 21].map(sayWaiting)).toEqual([
    '1 collection waits for your decision',
    '21 collections wait for your decision',
  ])
})
