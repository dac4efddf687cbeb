import { expect, type Page } from '@playwright/test'
import { makePdf } from '@proofdesk/certify/testing'

/** Names of several kinds and lengths, and one file that is refused before it is sent. */
const CHOSEN = [
  ['letter.pdf', 'application/pdf'],
  ['گواهی‌نامهٔ پایان تحصیلات.pdf', 'application/pdf'],
  ['a-scan-whose-name-goes-on-for-so-long-that-it-has-to-be-wrapped-somewhere-on-a-phone.jpg', 'image/jpeg'],
  ['notes.txt', 'text/plain'],
].map(([name, mimeType]) => ({ name: name ?? '', mimeType: mimeType ?? '', buffer: makePdf() }))

/** Several files are chosen, and one still needs its title. */
export async function leaveUploadWithoutTitle(page: Page): Promise<void> {
  await page.getByLabel('File', { exact: true }).setInputFiles(CHOSEN)
  await page.getByLabel('Type of the title of letter.pdf').selectOption('OTHER')
  await page.getByRole('button', { name: 'Add Content' }).click()
  await expect(page.getByText('A title is required.')).toBeVisible()
  await showForm(page)
}

/** Several files are being sent; none ever gets an answer, so nothing is added. */
export async function keepUploadsOnTheirWay(page: Page): Promise<void> {
  await page.route(/\/contents\/$/, () => {})
  await page.getByLabel('File', { exact: true }).setInputFiles(CHOSEN)
  await page.getByRole('button', { name: 'Add Content' }).click()
  await expect(page.getByText('Waiting').first()).toBeVisible()
  await showForm(page)
}

/** Just below the bar, so that no button stands half behind it: the checker would judge the half. */
async function showForm(page: Page): Promise<void> {
  await page.getByRole('region', { name: 'Add Content' }).evaluate((region) => {
    const bar = document.querySelector('header')?.getBoundingClientRect().height ?? 0
    scrollBy(0, region.getBoundingClientRect().top - bar - 4)
  })
}
