import type { Config } from '../config.ts'
import { CgroupError, type CgroupPath, type Cgroups } from '../infra/cgroup/cgroup.ts'
import { readProcessState } from '../infra/process/process-state.ts'
import type { AccountCages } from '../infra/container-engine/engine-cgroups.ts'

/** Running services are in one cgroup, builds in another. */
const cagesOf = (instanceId: string): CgroupPath => [`panel${instanceId}`]
const buildsOf = (instanceId: string): CgroupPath => [`panel${instanceId}builds`]

/** Sibling cgroups of equal weight: an account without its own limit gets a fair share. */
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

/** Relative to all accounts together. Higher, because a starved database server affects all tenants. */
const databaseWeight = 200

/** Moves processes of a database server into its cgroup. */
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
      if (await readProcessState(pid)) throw error // Otherwise it has ended in the meantime.
    })
}

/** For when the panel has stopped. Cgroups with running processes are kept. */
export async function removeCages(cgroups: Cgroups, instanceId: string): Promise<void> {
  const all = cagesOf(instanceId)
  const inside = [...databaseServers, 'accounts'].map((name): CgroupPath => [...all, name])
  for (const path of [...inside, all, buildsOf(instanceId)])
    if ((await cgroups.listPids(path)).length === 0) await cgroups.remove(path)
}

/** For `./panel doctor`; undefined if resource limits work. */
export async function cagesProblem(cgroups: Cgroups): Promise<string | undefined> {
  const path: CgroupPath = ['paneldoctor']
  try {
    await cgroups.ensure(path, { memoryBytes: 2 ** 30, weight: 100 })
    await cgroups.remove(path)
    return undefined
  } catch (error) {
    if (!(error instanceof CgroupError)) throw error
    return `accounts and database servers have no resource limits: ${error.message}`
  }
}
