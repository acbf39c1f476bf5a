import type { Config } from '../config.ts'
import { CgroupError, type CgroupPath, type Cgroups } from '../infra/cgroup/cgroup.ts'
import { readProcessState } from '../infra/process/process-state.ts'
import type { AccountCages } from '../infra/container-engine/engine-cgroups.ts'

/** What serves lies in one cgroup, and so on one side of the scales against the rest of the machine; what is built lies beside it. */
const cagesOf = (instanceId: string): CgroupPath => [`panel${instanceId}`]
const buildsOf = (instanceId: string): CgroupPath => [`panel${instanceId}builds`]

/** One beside the other with the same weight: without a limit of its own, an account has its share of what is there. */
export const accountCages = (
  config: Pick<Config, 'ACCOUNT_MEMORY_LIMIT' | 'ACCOUNT_CPU_LIMIT' | 'ACCOUNT_PIDS_LIMIT'>,
  instanceId: string
): AccountCages => ({
  path: [...cagesOf(instanceId), 'accounts'],
  builds: buildsOf(instanceId),
  get limits() {
    return {
      memoryBytes: config.ACCOUNT_MEMORY_LIMIT,
      cpus: config.ACCOUNT_CPU_LIMIT,
      pids: config.ACCOUNT_PIDS_LIMIT
    }
  }
})

const databaseServers = ['postgresql', 'mysql'] as const

/** Against all accounts together: who floods a database server with work has other tenants wait for it, so it is not starved besides. */
const databaseWeight = 200

/** Puts processes of a database server into the cage of that server. */
export async function cageDatabaseServer(
  cgroups: Cgroups,
  config: Pick<Config, 'DATABASE_MEMORY_LIMIT'>,
  { instanceId, name, pids }: { instanceId: string; name: (typeof databaseServers)[number]; pids: readonly number[] }
): Promise<void> {
  const path: CgroupPath = [...cagesOf(instanceId), name]
  await cgroups.ensure(path, { memoryBytes: config.DATABASE_MEMORY_LIMIT, weight: databaseWeight })
  const inside = new Set(await cgroups.listPids(path))
  for (const pid of pids.filter((one) => !inside.has(one)))
    await cgroups.enter(path, pid).catch(async (error: unknown) => {
      if (await readProcessState(pid)) throw error // Else it has ended meanwhile.
    })
}

/** When the panel has stopped. What goes on without it stays in its cage. */
export async function removeCages(cgroups: Cgroups, instanceId: string): Promise<void> {
  const all = cagesOf(instanceId)
  const inside = [...databaseServers, 'accounts'].map((name): CgroupPath => [...all, name])
  for (const path of [...inside, all, buildsOf(instanceId)])
    if ((await cgroups.listPids(path)).length === 0) await cgroups.remove(path)
}

/** What `./panel doctor` says: undefined where all is well. */
export async function cagesProblem(cgroups: Cgroups): Promise<string | undefined> {
  const path: CgroupPath = ['paneldoctor']
  try {
    await cgroups.ensure(path, { memoryBytes: 2 ** 30, weight: 100 })
    await cgroups.remove(path)
    return undefined
  } catch (error) {
    if (!(error instanceof CgroupError)) throw error
    return `what an account and a database server take together has no bound: ${error.message}`
  }
}
