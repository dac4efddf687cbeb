import type { Feature } from '../../feature.ts'

export const users: Feature = {
  name: 'users',
  tables: ['users'],
}
