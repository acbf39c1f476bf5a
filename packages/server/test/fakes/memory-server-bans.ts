import { AdapterError } from '../../src/infra/adapter-error.ts'
import { renderAddedBans } from '../../src/infra/server-firewall/bans.render.ts'
import type { ServerBan, ServerBans } from '../../src/infra/server-firewall/server-bans.ts'

export interface MemoryServerBans extends ServerBans {
  /** In force, by address; time does not pass. */
  readonly banned: ReadonlyMap<string, number | null>
  /** Makes every change fail with this message. */
  problem: string | undefined
}

export function createMemoryServerBans(): MemoryServerBans {
  const banned = new Map<string, number | null>()
  let last: Promise<unknown> = Promise.resolve()
  const check = (added: readonly ServerBan[]) => {
    if (bans.problem !== undefined)
      throw new AdapterError('firewall-unavailable', 'The firewall of the server could not be changed', {
        reason: bans.problem
      })
    renderAddedBans({ table: 'memory', bridgePrefix: 'pntest' }, added)
  }
  const add = async (added: readonly ServerBan[]) => {
    check(added)
    for (const { address, seconds } of added) banned.set(address, seconds)
  }
  const bans: MemoryServerBans = {
    banned,
    problem: undefined,
    exclusively(work) {
      const result = last.then(work)
      last = result.catch(() => {})
      return result
    },
    add,
    async apply(all) {
      check(all)
      banned.clear()
      await add(all)
    }
  }
  return bans
}
