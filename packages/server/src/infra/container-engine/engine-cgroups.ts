import { type CgroupLimits, type CgroupPath, type Cgroups, CgroupError } from '../cgroup/cgroup.ts'
import { createCgroupFiles } from '../cgroup/cgroup-files.ts'
import { createSystemdCgroups } from '../cgroup/systemd-cgroups.ts'
import type { Run } from '../process/process.ts'
import type { EngineInfo } from './docker-answers.ts'

/** cgroups of accounts: one above each account's containers, one above its builds. */
export interface AccountCages {
  path: CgroupPath
  /** Parent of all builds. A sibling of what must have priority over builds: weights only count among siblings. */
  builds: CgroupPath
  limits: CgroupLimits
}

// When CPU or disk is contended, all builds together get a fifth of what all sites get.
export const buildWeight = 20

export function engineCgroups({ CgroupDriver, CgroupVersion }: EngineInfo, run: Run): Cgroups {
  const version = CgroupVersion === '2' ? 2 : 1
  return CgroupDriver === 'systemd' ? createSystemdCgroups({ version, run }) : createCgroupFiles({ version })
}

/** Undefined without configured cgroups or if none can be created: containers keep their own limits. */
export async function ensureAccountCgroup(
  cgroups: Cgroups,
  cages: AccountCages | undefined,
  account: number | undefined
): Promise<string | undefined> {
  if (cages === undefined || account === undefined) return undefined
  return undefinedOnFailure(async () => cgroups.ensure([...cages.path, String(account)], cages.limits))
}

export async function ensureBuildCgroup(
  cgroups: Cgroups,
  cages: AccountCages | undefined,
  account: number | undefined
): Promise<CgroupPath | undefined> {
  if (cages === undefined) return undefined
  return undefinedOnFailure(async () => {
    await cgroups.ensure(cages.builds, { weight: buildWeight })
    if (account === undefined) return cages.builds
    const path: CgroupPath = [...cages.builds, String(account)]
    await cgroups.ensure(path, cages.limits)
    return path
  })
}

async function undefinedOnFailure<Result>(make: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await make()
  } catch (error) {
    if (!(error instanceof CgroupError)) throw error
    return undefined
  }
}
