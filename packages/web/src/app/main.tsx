import './validation.ts'
import '../app.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'
import { makeQueryClient } from '../lib/query-client.ts'
import { readSession, restoreSession, watchSession } from '../lib/session.ts'
import { DialogGate } from './dialog-gate.tsx'
import { forgetAnswersOnSignOut } from './forget-answers.ts'
import { makeRouter } from './router.tsx'

const queryClient = makeQueryClient()
forgetAnswersOnSignOut(queryClient, watchSession, readSession)
void restoreSession()

const root = document.getElementById('root')
if (!root) throw new Error('The page has no #root.')
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={makeRouter()} />
      <DialogGate />
    </QueryClientProvider>
  </StrictMode>,
)
