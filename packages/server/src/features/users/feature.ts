import type { Feature } from '../../feature.ts'
import { userEvents } from './events.ts'

export const users: Feature = {
  name: 'users',
  tables: ['users'],
  events: userEvents,
}
