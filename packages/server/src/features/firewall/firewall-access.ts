import type { Dependencies } from '../../dependencies.ts'
import { decide } from './firewall-rules.policy.ts'
import { findFirewall } from './firewall.repository.ts'

/** Which of these TCP ports the rules in force, also those on trial, do not open to everyone. */
export async function listClosedPorts(
  { db, nodeId }: Pick<Dependencies, 'db' | 'nodeId'>,
  ports: readonly number[]
): Promise<number[]> {
  const row = await findFirewall(db, nodeId)
  if (!row) return []
  const { isEnabled: enabled, defaultAction, rules, pendingRuleset, pendingAppliedAt } = row
  const inForce = pendingAppliedAt === null ? undefined : pendingRuleset
  const ruleset = inForce ?? { enabled, defaultAction, rules }
  if (!ruleset.enabled) return []
  return ports.filter((port) => decide(ruleset, { source: null, protocol: 'TCP', port }) === 'DENY')
}
