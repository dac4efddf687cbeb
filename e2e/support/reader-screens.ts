import { expect, type Page } from '@playwright/test'
import type { Screen } from './screen.ts'

/** Files of a collection, opened in the page. */
export const READER_SCREENS: Screen[] = [
  {
    name: 'collection, viewing a photo',
    path: () => '/content/2',
    username: 'sam',
    ready: 'Please look at page 2 first.',
    act: async (page) => {
      await page.getByRole('button', { name: /^View Photo/ }).click()
      await page.getByRole('button', { name: 'Original' }).click()
      await expect(page.getByRole('img', { name: /photo\.jpg$/ })).toBeVisible()
    },
  },
  {
    name: 'collection, reading a PDF',
    path: () => '/content/1',
    username: 'ada',
    ready: 'Please look at page 2 first.',
    act: openPaper,
  },
  {
    name: 'collection, searching a PDF with thumbnails',
    path: () => '/content/1',
    username: 'ada',
    ready: 'Please look at page 2 first.',
    act: async (page) => {
      await openPaper(page)
      await page.getByRole('button', { name: 'Show page thumbnails' }).click()
      await page.getByRole('button', { name: 'Find in the document' }).click()
      await page.getByRole('textbox', { name: 'Find' }).fill('page')
      await expect(page.getByText('1 of 2', { exact: true })).toBeVisible()
      await expect(page.getByRole('navigation', { name: 'Pages' }).locator('canvas')).toHaveCount(2)
    },
  },
  {
    name: 'collection, a file that cannot be shown',
    path: () => '/content/1',
    username: 'ada',
    ready: 'Please look at page 2 first.',
    act: async (page) => {
      await page.route('**/contents/serve/**', (route) =>
        route.fulfill({ contentType: 'application/pdf', body: '%PDF-1.7 and nothing more' }),
      )
      await page.getByRole('button', { name: /^View Paper/ }).click()
      await expect(page.getByText('This file cannot be shown here')).toBeVisible()
    },
  },
]

async function openPaper(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^View Paper/ }).click()
  await expect(page.getByRole('article', { name: /^Page 1 of/ }).locator('canvas')).toBeVisible()
}
