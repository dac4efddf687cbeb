/**
 * First part of the keys under which answers are kept. Features do not know each other, but what one changes another
 * shows: adding a content, for example, changes the count its collection carries.
 */
export const QUERY_KEYS = {
  notifications: ['notifications'],
  collections: ['collections'],
  contents: ['contents'],
  contentFiles: ['content-files'],
  reviewDocuments: ['review-documents'],
  thumbnails: ['thumbnails'],
  comments: ['comments'],
  reasons: ['reasons'],
  serverContents: ['server-contents'],
  users: ['users'],
  mail: ['mail'],
  health: ['health'],
  audit: ['audit'],
  tickets: ['tickets'],
  instance: ['instance'],
  profile: ['profile'],
  sessions: ['sessions'],
  identities: ['identities'],
  twoFactorSetup: ['two-factor-setup'],
} as const
