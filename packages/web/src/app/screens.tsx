import { startTransition, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { AppRouter } from './app-router.tsx'
import { App } from './app.tsx'

const root = document.getElementById('root')
if (!root) throw new Error('The page has no #root.')
const screens = createRoot(root)
// As a transition React works in slices, so a slow phone answers a touch while the first screen is drawn.
startTransition(() =>
  screens.render(
    <StrictMode>
      <AppRouter>
        <App />
      </AppRouter>
    </StrictMode>,
  ),
)
