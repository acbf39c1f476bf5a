import { AdapterError } from '../../src/infra/adapter-error.ts'
import type { ChangeOutcome, ServerFirewall, ServerRuleset } from '../../src/infra/server-firewall/server-firewall.ts'
import { renderServerTable } from '../../src/infra/server-firewall/server-ruleset.render.ts'

export interface MemoryServerFirewall extends ServerFirewall {
  /** In force. */
  ruleset: ServerRuleset | undefined
  sshPorts: number[]
  /** Makes every change fail with this message. */
  problem: string | undefined
  /** Ends the trial as its rollback process would. */
  reachDeadline(): void
}

export function createMemoryServerFirewall(): MemoryServerFirewall {
  let confirmed: { id: string; ruleset: ServerRuleset | undefined } = { id: '-', ruleset: undefined }
  let trial: { id: string; ruleset: ServerRuleset } | undefined
  let last: Promise<unknown> = Promise.resolve()
  const check = (ruleset?: ServerRuleset) => {
    if (firewall.problem !== undefined)
      throw new AdapterError('firewall-unavailable', 'The firewall of the server could not be changed', {
        reason: firewall.problem
      })
    renderServerTable({ table: 'memory', bridgePrefix: 'pntest' }, ruleset)
  }
  const settled = (id: string): ChangeOutcome => (confirmed.id === id ? 'confirmed' : 'reverted')
  const firewall: MemoryServerFirewall = {
    ruleset: undefined,
    sshPorts: [22],
    problem: undefined,
    exclusively(work) {
      const result = last.then(work)
      last = result.catch(() => {})
      return result
    },
    reachDeadline() {
      trial = undefined
      firewall.ruleset = confirmed.ruleset
    },
    async apply(ruleset) {
      check(ruleset)
      confirmed = { id: '-', ruleset }
      firewall.reachDeadline()
    },
    async tryOut(id, ruleset) {
      check(ruleset)
      trial = { id, ruleset }
      firewall.ruleset = ruleset
    },
    async confirm(id) {
      check()
      if (trial?.id !== id) return settled(id)
      confirmed = trial
      trial = undefined
      return 'confirmed'
    },
    async revert(id) {
      check()
      if (trial?.id !== id) return settled(id)
      firewall.reachDeadline()
      return 'reverted'
    },
    outcomeOf: async (id) => (trial?.id === id ? 'pending' : settled(id)),
    listSshPorts: async () => firewall.sshPorts
  }
  return firewall
}
