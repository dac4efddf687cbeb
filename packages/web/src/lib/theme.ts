import { useSyncExternalStore } from 'react'

/** `system` follows the device; the other two are kept in a cookie, since signing out clears local storage. */
export type Theme = 'system' | 'light' | 'dark'

const YEAR_SECONDS = 365 * 24 * 60 * 60
const listeners = new Set<() => void>()

export function readTheme(): Theme {
  const chosen = document.documentElement.dataset.theme
  return chosen === 'light' || chosen === 'dark' ? chosen : 'system'
}

export function chooseTheme(theme: Theme): void {
  const secure = location.protocol === 'https:' ? '; secure' : ''
  if (theme === 'system') {
    delete document.documentElement.dataset.theme
    document.cookie = `theme=; path=/; max-age=0; samesite=lax${secure}`
  } else {
    document.documentElement.dataset.theme = theme
    document.cookie = `theme=${theme}; path=/; max-age=${YEAR_SECONDS}; samesite=lax${secure}`
  }
  for (const listener of listeners) listener()
}

export function useTheme(): Theme {
  return useSyncExternalStore(watchTheme, readTheme)
}

function watchTheme(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
