import type { Page } from '@playwright/test'

/** One screen in one state, for looking at and for the accessibility checker. */
export interface Screen {
  name: string
  path: () => string
  username?: string
  /** Something that is there once the screen is complete. */
  ready: string | RegExp
  /** Steps that lead to a state worth checking. */
  act?: (page: Page) => Promise<void>
  /** It closes when the window changes its size, so it is opened again for the phone. */
  closesOnResize?: boolean
}
