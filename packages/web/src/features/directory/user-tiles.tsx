import { ShieldUser, UserRoundCheck, UsersRound, type LucideIcon } from 'lucide-react'
import { m } from '../../paraglide/messages.js'
import { FilterTile } from '../../ui/tile.tsx'
import type { Tone } from '../../ui/tone.ts'
import { useUserTotal } from './api.ts'
import { USER_GROUPS, type UserGroup } from './list-state.ts'

export interface UserTilesProps {
  chosen: UserGroup
  onChoose: (group: UserGroup) => void
}

/** Admin Users, Staff Users, All Users, each with how many it holds. */
export function UserTiles({ chosen, onChoose }: UserTilesProps) {
  return (
    <fieldset className="grid min-w-0 grid-cols-3 gap-2 lg:max-w-2xl">
      <legend className="sr-only">{m.users_tiles()}</legend>
      {USER_GROUPS.map((group) => (
        <UserTile key={group} group={group} pressed={chosen === group} onPress={() => onChoose(group)} />
      ))}
    </fieldset>
  )
}

function UserTile({ group, pressed, onPress }: { group: UserGroup; pressed: boolean; onPress: () => void }) {
  return <FilterTile {...faceOf(group)} count={useUserTotal(group)} pressed={pressed} onPress={onPress} />
}

function faceOf(group: UserGroup): { icon: LucideIcon; tone: Tone; word: string } {
  switch (group) {
    case 'admin':
      return { icon: ShieldUser, tone: 'brand', word: m.users_tile_admin() }
    case 'staff':
      return { icon: UserRoundCheck, tone: 'ok', word: m.users_tile_staff() }
    case 'all':
      return { icon: UsersRound, tone: 'muted', word: m.users_tile_all() }
  }
}
