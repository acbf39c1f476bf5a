import { type CgroupLimits, type CgroupPath, type Cgroups, CgroupError } from '../cgroup/cgroup.ts'
import { createCgroupFiles } from '../cgroup/cgroup-files.ts'
import { createSystemdCgroups } from '../cgroup/systemd-cgroups.ts'
import type { Run } from '../process/process.ts'
import type { EngineInfo } from './docker-answers.ts'

/** The cage of an account: a cgroup above its containers and builds. */
export interface AccountCages {
  /** Of all accounts of this panel. */
  path: CgroupPath
  limits: CgroupLimits
}

/** As the engine makes cgroups, in the words of its /info. */
export function engineCgroups({ CgroupDriver, CgroupVersion }: EngineInfo, run: Run): Cgroups {
  const version = CgroupVersion === '2' ? 2 : 1
  return CgroupDriver === 'systemd' ? createSystemdCgroups({ version, run }) : createCgroupFiles({ version })
}

/**
 * Makes the cage of an account, and resolves with its path and what the engine is to be given as parent. Undefined where there are none, and on a machine that
 * lets us make none, of which `./panel doctor` tells: each container has its own limits all the same.
 */
export async function ensureAccountCage(
  cgroups: Cgroups,
  cages: AccountCages | undefined,
  account: number | undefined
): Promise<{ path: CgroupPath; parent: string } | undefined> {
  if (cages === undefined || account === undefined) return undefined
  const path: CgroupPath = [...cages.path, String(account)]
  try {
    return { path, parent: await cgroups.ensure(path, cages.limits) }
  } catch (error) {
    if (!(error instanceof CgroupError)) throw error
    return undefined
  }
}
