import { Moon, Sun, SunMoon } from 'lucide-react'
import { chooseTheme, useTheme, type Theme } from '../lib/theme.ts'
import { m } from '../paraglide/messages.js'
import { IconButton } from '../ui/icon-button.tsx'

const NEXT: Record<Theme, Theme> = { system: 'light', light: 'dark', dark: 'system' }
const ICON = { system: SunMoon, light: Sun, dark: Moon }

/** Goes round: like the device, light, dark. */
export function ThemeSwitch() {
  const theme = useTheme()
  const words = { system: m.theme_system(), light: m.theme_light(), dark: m.theme_dark() }
  return <IconButton icon={ICON[theme]} label={words[theme]} onClick={() => chooseTheme(NEXT[theme])} />
}
