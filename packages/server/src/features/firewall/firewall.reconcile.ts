import type { Dependencies } from '../../dependencies.ts'
import { filterOf } from './firewall-rules.policy.ts'
import { findFirewall } from './firewall.repository.ts'
import { rulesetOf, settleTrial } from './firewall-trial.service.ts'

/** Loads the rules after a reboot or a flush, and records the outcome of a change while the panel was down. */
export async function reconcileFirewall(deps: Dependencies): Promise<'again' | 'done'> {
  if (!(await findFirewall(deps.db, deps.nodeId))) return 'done'
  return deps.serverFirewall.exclusively(async () => {
    const row = await settleTrial(deps)
    if (row.pendingId !== null) return 'again'
    await deps.serverFirewall.apply(filterOf(rulesetOf(row)))
    return 'done'
  })
}
