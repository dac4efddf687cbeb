import { keepCookie } from './cookies.ts'
import { createStore, useStore } from './store.ts'

/** `system` follows the device; the other two are kept in a cookie, since signing out clears local storage. */
export type Theme = 'system' | 'light' | 'dark'

const theme = createStore(readTheme())

function readTheme(): Theme {
  const chosen = document.documentElement.dataset.theme
  return chosen === 'light' || chosen === 'dark' ? chosen : 'system'
}

export function chooseTheme(chosen: Theme): void {
  if (chosen === 'system') {
    delete document.documentElement.dataset.theme
  } else {
    document.documentElement.dataset.theme = chosen
  }
  keepCookie('theme', chosen === 'system' ? undefined : chosen)
  theme.write(chosen)
}

export function useTheme(): Theme {
  return useStore(theme)
}
