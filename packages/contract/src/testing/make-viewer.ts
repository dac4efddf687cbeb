import type { Viewer } from '../permissions.ts'

/** An ordinary user with a verified e-mail, but for what is said. */
export const makeViewer = (over: Partial<Viewer> = {}): Viewer => ({
  id: 1,
  username: 'ada',
  is_staff: false,
  is_admin: false,
  is_superuser: false,
  is_email_verified: true,
  ...over,
})
