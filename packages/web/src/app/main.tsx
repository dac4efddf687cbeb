import './validation.ts'
import '../app.css'
import { restoreSession } from '../lib/restore-session.ts'

// Asks who is signed in while React and the screens are still on their way.
void restoreSession()
void import('./screens.tsx')
