import { expect } from '@playwright/test'
import type { Screen } from './screen.ts'

/** What the DNS might say of the sender: no name server is asked here. */
const MAIL_RECORDS = [
  { kind: 'spf', name: 'registry.example', found: ['v=spf1 mx -all'], verdict: 'fits', publish: null },
  {
    kind: 'dkim',
    name: 'desk2027._domainkey.registry.example',
    found: [`v=DKIM1; k=rsa; p=${'A'.repeat(392)}`],
    verdict: 'other_key',
    publish: `desk2027._domainkey.registry.example. IN TXT "v=DKIM1; k=rsa; p=${'B'.repeat(230)}" "${'B'.repeat(162)}"`,
  },
  {
    kind: 'dmarc',
    name: '_dmarc.registry.example',
    found: [],
    verdict: 'missing',
    publish: '_dmarc.registry.example. IN TXT "v=DMARC1; p=none"',
  },
]

/** How mail goes out, and whether others believe it. */
export const MAIL_SCREENS: Screen[] = [
  { name: 'mail, one waits', path: () => '/mail', username: 'sue', ready: 'This mailbox is busy' },
  {
    name: 'mail, tested',
    path: () => '/mail',
    username: 'sue',
    ready: 'Send a test mail',
    act: async (page) => {
      await page.getByRole('button', { name: 'Send a test mail' }).click()
      await expect(page.getByText(/A test mail was handed over/)).toBeVisible()
    },
  },
  {
    name: 'mail, records looked up',
    path: () => '/mail',
    username: 'sue',
    ready: 'Whether receivers believe our mails',
    act: async (page) => {
      await page.route(/\/mail\/records\/$/, (route) => route.fulfill({ json: { records: MAIL_RECORDS } }))
      await page.getByRole('button', { name: 'Look the records up' }).click()
      await expect(page.getByText('The key there is not the one that signs')).toBeVisible()
    },
  },
]
