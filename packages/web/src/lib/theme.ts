import { createStore, useStore } from './store.ts'

/** `system` follows the device; the other two are kept in a cookie, since signing out clears local storage. */
export type Theme = 'system' | 'light' | 'dark'

const YEAR_SECONDS = 365 * 24 * 60 * 60
const theme = createStore(readTheme())

function readTheme(): Theme {
  const chosen = document.documentElement.dataset.theme
  return chosen === 'light' || chosen === 'dark' ? chosen : 'system'
}

export function chooseTheme(chosen: Theme): void {
  const secure = location.protocol === 'https:' ? '; secure' : ''
  if (chosen === 'system') {
    delete document.documentElement.dataset.theme
    document.cookie = `theme=; path=/; max-age=0; samesite=lax${secure}`
  } else {
    document.documentElement.dataset.theme = chosen
    document.cookie = `theme=${chosen}; path=/; max-age=${YEAR_SECONDS}; samesite=lax${secure}`
  }
  theme.write(chosen)
}

export function useTheme(): Theme {
  return useStore(theme)
}
