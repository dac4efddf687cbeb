import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { readSession } from '../lib/session.ts'
import { openApp, readPath } from '../testing/open-app.tsx'
import { useRealServer } from '../testing/real-server.ts'
import { signIn } from '../testing/sign-in.ts'

test('a guarded screen sends visitors to the sign-in and lets them come back', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'ada' })
  const person = openApp('/dashboard?from=mail')
  await person.type(await screen.findByLabelText('Username'), 'ada')
  await person.type(screen.getByLabelText('Password'), 'Secret1!')
  await person.click(screen.getByRole('button', { name: 'Login' }))
  await screen.findByRole('heading', { name: 'Welcome, ada' })
  expect(readPath()).toBe('/dashboard?from=mail')
})

test('a wrong password is answered under Wrong! and keeps what was typed', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'ada' })
  const person = openApp('/login')
  await person.type(await screen.findByLabelText('Username'), 'ada')
  await person.type(screen.getByLabelText('Password'), 'Wrong1!')
  await person.click(screen.getByRole('button', { name: 'Login' }))
  const dialog = await screen.findByRole('alertdialog', { name: 'Wrong!' })
  expect(dialog.textContent).toContain('Invalid Username and Password')
  await person.click(screen.getByRole('button', { name: 'OK' }))
  expect(screen.getByLabelText<HTMLInputElement>('Username').value).toBe('ada')
  expect(screen.getByLabelText<HTMLInputElement>('Password').value).toBe('Wrong1!')
  expect(readSession()).toEqual({ phase: 'signed-out' })
})

test('a logged-in person at the sign-in goes on to the dashboard', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'sam', is_staff: true })
  await signIn('sam')
  openApp('/login')
  await screen.findByRole('heading', { name: 'Welcome, Staff sam' })
  expect(readPath()).toBe('/dashboard')
})

test('logging out clears the session and leads to the landing page', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'ada' })
  await signIn('ada')
  const person = openApp('/dashboard')
  await person.click(await screen.findByRole('button', { name: 'Logout' }))
  await screen.findByRole('link', { name: 'Get Started' })
  expect(readPath()).toBe('/')
  expect(readSession()).toEqual({ phase: 'signed-out' })
  expect(localStorage.length).toBe(0)
})

test('a logout call that fails clears nothing', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'ada' })
  await signIn('ada')
  const person = openApp('/dashboard')
  const button = await screen.findByRole('button', { name: 'Logout' })
  await server.app.close()
  await person.click(button)
  await waitFor(() => expect(button.getAttribute('aria-busy')).toBeNull())
  expect(readPath()).toBe('/dashboard')
  expect(readSession()).toMatchObject({ phase: 'signed-in' })
  expect(localStorage.getItem('refresh')).not.toBeNull()
})

test('an admin sees neither the notification bar nor the Server Content entry', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'alan', is_admin: true })
  await signIn('alan')
  openApp('/dashboard')
  await screen.findByRole('heading', { name: 'Welcome, Admin alan' })
  expect(screen.queryByRole('navigation', { name: 'Notification bar' })).toBeNull()
  expect(screen.queryByRole('link', { name: /Server Content/ })).toBeNull()
  expect(screen.getByRole('link', { name: 'Collection' })).toBeTruthy()
})

test('an unknown path shows Page Not Found with a Back to Home link', async () => {
  openApp('/nowhere')
  await screen.findByRole('heading', { name: 'Page Not Found' })
  expect(screen.getByRole('link', { name: 'Back to Home' }).getAttribute('href')).toBe('/')
})
