import { Id } from '@panel/contract/common'
import { findNode } from '../../db/nodes.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AdapterError, explain } from '../../infra/adapter-error.ts'
import { version } from '../../process/version.ts'
import { workerVerb } from '../../worker/worker-verb.ts'
import { type Found, nodeProblems } from './node-state.policy.ts'
import { listNodes, type NodeRow, saveCheck } from './nodes.repository.ts'

type Deps = Pick<Dependencies, 'db' | 'nodes' | 'now'>

/** Reads what each machine has and what is wrong with it. */
export async function checkMachines(deps: Deps): Promise<void> {
  await Promise.all((await listNodes(deps.db)).map((row) => check(deps, row)))
}

export const checkMachine = workerVerb('nodes.check', [Id], async (deps: Deps, id: string): Promise<void> => {
  const row = await findNode(deps.db, id)
  if (row) await check(deps, row)
})

export const forgetMachine = workerVerb('nodes.forget', [Id], (deps: Deps, id: string): Promise<void> =>
  deps.nodes.forget(id)
)

/** Public key of the panel for other machines. */
export const readPanelKey = workerVerb('nodes.key', [], (deps: Deps): Promise<string> => deps.nodes.publicKey())

async function check({ db, nodes, now }: Deps, { id, missedChecks }: NodeRow): Promise<void> {
  const reached = await found(
    nodes.forNode(id).then(async (adapters) => ({ adapters, facts: await adapters.readFacts() }))
  )
  if ('problem' in reached) {
    const problems = [{ code: 'UNREACHABLE' as const, values: { reason: reached.problem } }]
    return saveCheck(db, id, { missedChecks: missedChecks + 1, problems })
  }
  const { adapters, facts } = reached.value
  const [engineVersion, panelVersion] = await Promise.all([
    found(adapters.engine.ping()),
    found(adapters.hostHelper.readVersion())
  ])
  const { isDebian: _, ...kept } = facts
  await saveCheck(db, id, {
    seenAt: now(),
    missedChecks: 0,
    facts: {
      ...kept,
      engineVersion: 'value' in engineVersion ? engineVersion.value : null,
      panelVersion: 'value' in panelVersion ? panelVersion.value : null
    },
    problems: nodeProblems({ facts, engineVersion, panelVersion }, version)
  })
}

async function found<T>(work: Promise<T>): Promise<Found<T>> {
  try {
    return { value: await work }
  } catch (error) {
    const reason = error instanceof AdapterError ? (error.explanation ?? error.sentence) : explain(error)
    return { problem: reason ?? 'no reason given' }
  }
}
