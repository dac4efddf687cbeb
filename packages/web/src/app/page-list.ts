import { PROVIDER_RETURN_PATH } from '@proofdesk/contract/provider-return'
import { PATHS } from '../lib/paths.ts'

/**
 * Who meets a page: the others are led to the page of signing in, to the dashboard, or first to setting two-factor up where
 * their role demands it. `newcomers` are members who may not have set it up.
 */
export type Audience = 'everyone' | 'set-up' | 'guests' | 'members' | 'newcomers'

/** Every page: its file in `pages/` without `-page.tsx`, its address, and for whom it is. */
export const PAGES = {
  landing: { path: PATHS.home, audience: 'everyone' },
  'service-content': { path: PATHS.serviceContent, audience: 'everyone' },
  tickets: { path: PATHS.tickets, audience: 'set-up' },
  'ticket-link': { path: '/ticket/open/:token', audience: 'everyone' },
  api: { path: PATHS.api, audience: 'everyone' },
  'verify-email': { path: '/verify-email/:token', audience: 'everyone' },
  setup: { path: '/setup/:token', audience: 'everyone' },
  'reset-password': { path: '/reset-password/:token', audience: 'everyone' },
  'undo-email': { path: '/undo-email/:token', audience: 'everyone' },
  'join-provider': { path: '/join-provider/:token', audience: 'everyone' },
  'provider-return': { path: PROVIDER_RETURN_PATH, audience: 'everyone' },
  register: { path: PATHS.register, audience: 'everyone' },
  login: { path: PATHS.login, audience: 'guests' },
  profile: { path: PATHS.profile, audience: 'newcomers' },
  'two-factor-setup': { path: PATHS.twoFactorSetup, audience: 'newcomers' },
  dashboard: { path: PATHS.dashboard, audience: 'members' },
  collections: { path: PATHS.collection, audience: 'members' },
  'collection-detail': { path: '/content/:id', audience: 'members' },
  'server-content': { path: PATHS.serverContent, audience: 'members' },
  users: { path: PATHS.users, audience: 'members' },
  person: { path: '/users/:id', audience: 'members' },
  mail: { path: PATHS.mail, audience: 'members' },
  health: { path: PATHS.health, audience: 'members' },
  audit: { path: PATHS.audit, audience: 'members' },
  transparency: { path: PATHS.transparency, audience: 'everyone' },
  about: { path: PATHS.about, audience: 'everyone' },
  contact: { path: PATHS.contact, audience: 'everyone' },
  privacy: { path: PATHS.privacy, audience: 'everyone' },
  terms: { path: PATHS.terms, audience: 'everyone' },
  missing: { path: '*', audience: 'everyone' },
} as const satisfies Record<string, { path: string; audience: Audience }>

export type PageName = keyof typeof PAGES
