import { checkCounts, mendCounts, type WrongCount } from '../counts/check-counts.ts'
import { COUNTED } from '../counts/queries.ts'
import { UsageError, type Terminal } from './terminal.ts'
import { withPresentData } from './with-present-data.ts'

/** Compares the counts of the lists with the rows, also while the server runs. @returns whether they are right by now */
export async function checkCountsFromShell(args: string[], terminal: Terminal): Promise<boolean> {
  const [word, ...others] = args
  if (others.length > 0 || (word !== undefined && word !== '--mend'))
    throw new UsageError('check-counts takes --mend and nothing else.')
  return withPresentData(terminal, async (database) => {
    const checked = await checkCounts(database)
    for (const one of checked.wrong) terminal.err(sayWrong(one))
    if (checked.wrong.length === 0) {
      terminal.out('All counts are right.')
      return true
    }
    if (word === undefined) {
      terminal.err('To set them right: npm run admin -- check-counts --mend')
      return false
    }
    const isMended = await mendCounts(database, checked)
    terminal.out(isMended ? 'They are set right.' : 'Somebody else has set them right meanwhile: check again.')
    return isMended
  })
}

function sayWrong({ table, state, counted, there }: WrongCount): string {
  const names = Object.keys(COUNTED[table].state)
  return `${table} with ${names.map((name, at) => `${name} ${state[at]}`).join(', ')}: ${counted} counted, ${there} there`
}
