import { Id } from '@panel/contract/common'
import { z } from 'zod'
import { findNode } from '../../db/nodes.ts'
import type { NodeSsh } from '../../db/schema/nodes.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AdapterError } from '../../infra/adapter-error.ts'
import { FirewallError } from '../../infra/host-firewall/host-firewall.ts'
import { version } from '../../process/version.ts'
import { workerVerb } from '../../worker/worker-verb.ts'
import { messageOf } from '../../text/message-of.ts'
import { type ChangeDeps, reasonOf, recordCheck, unreachable } from './machine-changes.service.ts'
import { type Found, nodeProblems } from './node-state.policy.ts'
import { listNodes, type NodeRow } from './nodes.repository.ts'
import { checkTunnel, syncOwnTunnel } from './tunnels.service.ts'

type Deps = ChangeDeps & Pick<Dependencies, 'config' | 'logger' | 'nodes' | 'now'>

/** Reads what each machine has and what is wrong with it. */
export async function checkMachines(deps: Deps): Promise<void> {
  await Promise.all((await listNodes(deps.db)).map((row) => check(deps, row)))
}

export const checkMachine = workerVerb('nodes.check', [Id], async (deps: Deps, id: string): Promise<void> => {
  const row = await findNode(deps.db, id)
  if (row) await check(deps, row)
})

const Target = z.object({ host: z.string(), port: z.int(), hostKey: z.string() })

/** After the removal of its row. With `target`, the machine may still respond. */
export const forgetMachine = workerVerb(
  'nodes.forget',
  [Id, Target.optional()],
  async (deps: Deps, id: string, target?: NodeSsh): Promise<void> => {
    if (target)
      await deps.nodes.retire(id, target).catch((error: unknown) => {
        if (!(error instanceof AdapterError || error instanceof FirewallError)) throw error
        deps.logger.warn({ machine: id, error: messageOf(error) }, 'a removed machine keeps the encrypted network or the firewall rules') // oxfmt-ignore
      })
    else await deps.nodes.forget(id)
    await syncOwnTunnel(deps)
  }
)

/** Public key of the panel for other machines. */
export const readPanelKey = workerVerb('nodes.key', [], (deps: Deps): Promise<string> => deps.nodes.publicKey())

async function check(deps: Deps, { id, roles, missedChecks: missedBefore }: NodeRow): Promise<void> {
  const reached = await found(
    deps.nodes.forNode(id).then(async (adapters) => ({ adapters, facts: await adapters.readFacts() }))
  )
  if ('problem' in reached) {
    const { problem } = reached
    return recordCheck(deps, id, ({ missedChecks }) => ({ missedChecks: missedChecks + 1, ...unreachable(problem) }))
  }
  const { adapters, facts } = reached.value
  const { edge } = adapters
  const [engineVersion, panelVersion, proxy, tunnelProblem] = await Promise.all([
    found(adapters.engine.ping()),
    found(adapters.hostHelper.readVersion()),
    edge && roles.includes('EDGE') ? found(edge.ping()) : undefined,
    checkTunnel(deps, id)
  ])
  const { isDebian: _, ...kept } = facts
  const result = {
    seenAt: deps.now(),
    missedChecks: 0,
    facts: {
      ...kept,
      engineVersion: 'value' in engineVersion ? engineVersion.value : null,
      panelVersion: 'value' in panelVersion ? panelVersion.value : null
    },
    problems: [
      ...nodeProblems({ facts, engineVersion, panelVersion, proxy }, version),
      ...(tunnelProblem ? [tunnelProblem] : [])
    ]
  }
  // A check that began before the machine was cut off may end when a probe has already found out.
  await recordCheck(deps, id, ({ missedChecks }) => (missedChecks > missedBefore ? undefined : result))
}

async function found<T>(work: Promise<T>): Promise<Found<T>> {
  try {
    return { value: await work }
  } catch (error) {
    return { problem: reasonOf(error) }
  }
}
