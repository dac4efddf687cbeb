import { PUBLIC_SCREENS } from '@proofdesk/contract/public-screens'

/** Addresses of the screens (specification section 2). */
export const PATHS = {
  ...PUBLIC_SCREENS,
  dashboard: '/dashboard',
  profile: '/profile',
  twoFactorSetup: '/2fa-setup',
  collection: '/collection',
  serverContent: '/server-content',
  tickets: '/ticket',
  users: '/users',
  mail: '/mail',
  health: '/health',
  audit: '/audit',
} as const

export function personPath(userId: number): string {
  return `/users/${userId}`
}

export function contentPath(collectionId: number | string): string {
  return `/content/${encodeURIComponent(collectionId)}`
}
