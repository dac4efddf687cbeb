import { expect, test, type Page } from '@playwright/test'
import { watchComplaints } from './support/accessibility.ts'
import { leaveLayers } from './support/layers.ts'
import { findLink } from './support/mailbox.ts'
import { signIn, signOut } from './support/people.ts'
import { PASSWORD, startServer, type RunningServer } from './support/running-server.ts'

const NEW_PASSWORD = 'An0ther!pass'

let server: RunningServer
test.beforeAll(async () => {
  server = await startServer()
  await server.createUser({ username: 'ada' })
  await server.createUser({ username: 'bea' })
})
test.afterAll(() => server.stop())

async function logIn(page: Page, username: string, password: string): Promise<void> {
  await leaveLayers(page)
  await page.goto('/login')
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('main').getByRole('button', { name: 'Login', exact: true }).click()
}

async function askForLink(page: Page, email: string): Promise<void> {
  await leaveLayers(page)
  await page.goto('/login')
  await page.getByRole('button', { name: 'Reset it' }).click()
  await page.getByRole('dialog').getByLabel('Email').fill(email)
  await page.getByRole('dialog').getByRole('button', { name: 'Reset Password' }).click()
}

test('a forgotten password is reset by mail, and every other device is signed out', async ({ browser }) => {
  const [context, elsewhere] = [
    await browser.newContext({ baseURL: server.url }),
    await browser.newContext({ baseURL: server.url }),
  ]
  const [page, other] = [await context.newPage(), await elsewhere.newPage()]
  const complaints = [page, other].map(watchComplaints)
  let link = ''

  await test.step('2.51 4.18 5.7 8.6 the dialog takes an address, and answers alike whether or not there is such an account', async () => {
    await signIn(other, 'ada')
    await page.goto('/login')
    await expect(page.getByText('Forgot your password? Reset it')).toBeVisible()
    await page.getByRole('button', { name: 'Reset it' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Reset Password' }).click()
    await expect(dialog.getByText('This field is required.')).toBeVisible()
    await dialog.getByLabel('Email').fill('nobody@example.test')
    await dialog.getByRole('button', { name: 'Reset Password' }).click()
    const notice = page.getByRole('alertdialog')
    await expect(notice).toContainText('Successfully!')
    const words = await notice.textContent()
    await notice.getByRole('button', { name: 'OK' }).click()
    await expect(page.getByRole('dialog')).toBeHidden()
    await page.getByRole('button', { name: 'Reset it' }).click()
    await expect(page.getByRole('dialog').getByLabel('Email')).toHaveValue('')
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await askForLink(page, 'ada@example.test')
    await expect(notice).toContainText('Successfully!')
    expect(await notice.textContent()).toBe(words)
    link = findLink(await server.mailbox.waitFor('ada@example.test', /new password/i), /\/reset-password\//)
  })

  await test.step('the link opens a form that judges the password in the words of the specification', async () => {
    await page.goto(link)
    await page.getByLabel('New Password', { exact: true }).fill('weak')
    await page.getByLabel('Confirm New Password').fill('other')
    await page.getByRole('button', { name: 'Set the password' }).click()
    await expect(page.getByText('Password must be at least 6 characters and include')).toBeVisible()
    await expect(page.getByText('Passwords do not match.')).toBeVisible()
    await page.getByLabel('New Password', { exact: true }).fill(NEW_PASSWORD)
    await page.getByLabel('Confirm New Password').fill(NEW_PASSWORD)
    await page.getByRole('button', { name: 'Set the password' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your new password is set')
  })

  await test.step('the other device is out, the old password too, and the new one signs in', async () => {
    await other.goto('/profile')
    await expect(other).toHaveURL(/\/login$/)
    await logIn(page, 'ada', PASSWORD)
    await expect(page.getByRole('alertdialog')).toContainText('Invalid Username and Password')
    await page.getByRole('alertdialog').getByRole('button', { name: 'OK' }).click()
    await logIn(page, 'ada', NEW_PASSWORD)
    await expect(page).toHaveURL(/\/dashboard$/)
    await server.mailbox.waitFor('ada@example.test', /password .* was changed/i)
  })

  await test.step('the link is used up', async () => {
    await other.goto(link)
    // It says so before a form is filled.
    await expect(other.getByRole('main')).toContainText('already used')
    await expect(other.getByLabel('New Password', { exact: true })).toHaveCount(0)
  })

  expect(complaints.flat()).toEqual([])
  await context.close()
  await elsewhere.close()
})

test('the profile: details, password and address', async ({ browser }) => {
  const context = await browser.newContext({ baseURL: server.url })
  const page = await context.newPage()
  const complaints = watchComplaints(page)
  const notice = page.getByRole('alertdialog')
  await signIn(page, 'bea')
  await page.goto('/profile')

  await test.step('3.9 details are kept, empty ones as none', async () => {
    await expect(page.getByLabel('Username')).toHaveAttribute('readonly', '')
    await page.getByLabel('First Name').fill('Béatrice')
    await page.getByLabel('Phone Number').fill('')
    await page.getByLabel('Birthdate').fill('1990-02-28')
    await page.getByRole('button', { name: 'Update Profile' }).click()
    await expect(notice).toContainText('Profile updated successfully')
    await expect(notice).toBeHidden()
    await page.reload()
    await expect(page.getByLabel('First Name')).toHaveValue('Béatrice')
    await expect(page.getByLabel('Birthdate')).toHaveValue('1990-02-28')
  })

  await test.step('8.51 a refused change keeps all that was typed', async () => {
    await page.getByLabel('Email', { exact: true }).fill('ada@example.test')
    await page.getByLabel('Last Name').fill('Berg')
    await page.getByRole('button', { name: 'Update Profile' }).click()
    await expect(notice).toContainText('Failed to update profile')
    await expect(notice).toContainText('A user with that email already exists.')
    await notice.getByRole('button', { name: 'OK' }).click()
    await expect(page.getByLabel('Email', { exact: true })).toHaveValue('ada@example.test')
    await expect(page.getByLabel('Last Name')).toHaveValue('Berg')
  })

  await test.step('5.11 8.70 the password form wants the repetition to match and the old password to be right', async () => {
    await page.getByLabel('Old Password').fill('wr0ng!Pass')
    await page.getByLabel('New Password', { exact: true }).fill(NEW_PASSWORD)
    await page.getByLabel('Confirm New Password').fill('different')
    await page.getByRole('button', { name: 'Change Password' }).click()
    await expect(page.getByText('New passwords do not match')).toBeVisible()
    await page.getByLabel('Confirm New Password').fill(NEW_PASSWORD)
    await page.getByRole('button', { name: 'Change Password' }).click()
    await expect(notice).toContainText('Failed to change password')
    await expect(notice).toContainText('The old password is not right.')
    await notice.getByRole('button', { name: 'OK' }).click()
    await expect(page.getByLabel('New Password', { exact: true })).toHaveValue(NEW_PASSWORD)
    await page.getByLabel('Old Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Change Password' }).click()
    await expect(notice).toContainText('Password changed successfully')
    await expect(page.getByLabel('Old Password')).toHaveValue('')
    await expect(notice).toBeHidden()
  })

  await test.step('8.71 another address is unverified, gets a link, and the old one is told', async () => {
    await page.getByLabel('Email', { exact: true }).fill('bea.new@example.test')
    await page.getByRole('button', { name: 'Update Profile' }).click()
    await expect(notice).toContainText('Profile updated successfully')
    await expect(page.getByText('Please Verify Your Email')).toBeVisible()
    await expect(page.getByText('Not verified', { exact: true })).toBeVisible()
    await expect(notice).toBeHidden()
    await page.getByRole('button', { name: 'Send verification email' }).click()
    await expect(notice).toContainText('Verification email sent')
    await expect(notice).toBeHidden()
    await server.mailbox.waitFor('bea@example.test', /was changed/i)
    const mail = await server.mailbox.waitFor('bea.new@example.test', /verify/i)
    await leaveLayers(page)
    await page.goto(findLink(mail, /\/verify-email\//))
    await page.getByRole('button', { name: 'Verify my e-mail' }).click()
    await page.goto('/profile')
    await expect(page.getByText('bea.new@example.test is verified.')).toBeVisible()
    await expect(page.getByText('Please Verify Your Email')).toHaveCount(0)
    await signOut(page)
  })

  expect(complaints).toEqual([])
  await context.close()
})
