import type { injectedVariables } from '@panel/contract/databases'
import type { DatabaseAccount } from '../../infra/database-server/database-server.ts'

export interface ExchangedDatabase {
  live: DatabaseAccount
  /** Undefined if the backup does not have this database. */
  scratch: DatabaseAccount | undefined
}

/**
 * Variables of a project for its start in a drill: they name the scratch databases, and no password of a live database
 * is left. `injected` are those that the panel adds for a linked database.
 */
export function drillEnvironment(
  variables: Readonly<Record<string, string>>,
  databases: readonly ExchangedDatabase[],
  injected: Readonly<Partial<Record<(typeof injectedVariables)[number], string>>>
): Record<string, string> {
  const exchanged = Object.entries(variables).map(([key, value]) => [key, exchange(value, databases)])
  return { ...Object.fromEntries(exchanged), ...injected, PANEL_DRILL: '1' }
}

function exchange(value: string, databases: readonly ExchangedDatabase[]): string {
  const whole = databases.find(({ live }) => value === live.database || value === live.username)
  if (whole?.scratch) return value === whole.live.database ? whole.scratch.database : whole.scratch.username
  return databases.reduce((text, { live, scratch }) => {
    if (!text.includes(live.password)) return text
    const names: [string, string][] = [
      [live.password, scratch?.password ?? ''],
      [live.username, scratch?.username ?? ''],
      [live.database, scratch?.database ?? '']
    ]
    // In one pass, because the name of a database is part of its username. All are of [A-Za-z0-9_-].
    const pattern = new RegExp(names.map(([from]) => from).join('|'), 'g')
    const to = new Map(names)
    return text.replace(pattern, (found) => to.get(found)!)
  }, value)
}
