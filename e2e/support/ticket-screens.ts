import { expect, type Page } from '@playwright/test'
import type { Screen } from './screen.ts'

const addTicket = (page: Page) => page.getByRole('button', { name: '+ Add Ticket' }).first().click()

/** Tickets of people, visitors and those who answer. */
export const TICKET_SCREENS: Screen[] = [
  { name: 'tickets, asking a visitor for an e-mail', path: () => '/ticket', ready: 'Ticket Management' },
  {
    name: 'tickets of a visitor, none',
    path: () => '/ticket',
    ready: 'Ticket Management',
    act: async (page) => {
      await page.getByLabel('Email').fill('vera@example.test')
      await page.getByRole('button', { name: 'Continue' }).click()
      await expect(page.getByText("You Don't Have Any Ticket Here...!")).toBeVisible()
    },
  },
  { name: 'mailed link to tickets', path: () => `/ticket/open/${'A'.repeat(43)}`, ready: 'Open my tickets' },
  {
    name: 'tickets, adding one',
    path: () => '/ticket',
    username: 'ada',
    ready: 'My lease came back',
    act: addTicket,
  },
  {
    name: 'tickets, conversation',
    path: () => '/ticket',
    username: 'ada',
    ready: 'My lease came back',
    act: async (page) => {
      await page.getByRole('button', { name: 'My lease came back' }).click()
      await expect(page.getByRole('log')).toContainText('Please scan it again.')
    },
  },
  {
    name: 'tickets of staff',
    path: () => '/ticket',
    username: 'sam',
    ready: 'My lease came back',
    act: async (page) => {
      await page.getByRole('button', { name: 'My lease came back' }).click()
      await expect(page.getByRole('button', { name: 'Close ticket' })).toBeVisible()
    },
  },
  {
    name: 'tickets of an admin, not allowed',
    path: () => '/ticket',
    username: 'amy',
    ready: 'My lease came back',
    act: async (page) => {
      await page.getByRole('button', { name: 'My lease came back' }).click()
      await expect(page.getByText('Not Allowed')).toBeVisible()
    },
  },
]
