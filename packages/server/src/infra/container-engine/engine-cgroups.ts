import { type CgroupLimits, type CgroupPath, type Cgroups, CgroupError } from '../cgroup/cgroup.ts'
import { createCgroupFiles } from '../cgroup/cgroup-files.ts'
import { createSystemdCgroups } from '../cgroup/systemd-cgroups.ts'
import type { Run } from '../process/process.ts'
import type { EngineInfo } from './docker-answers.ts'

/** The cages of an account: a cgroup above its containers, and one above its builds. */
export interface AccountCages {
  /** Of all accounts of this panel. */
  path: CgroupPath
  /** Of all their builds, beside all that is to go before them: a weight counts among neighbours alone. */
  builds: CgroupPath
  limits: CgroupLimits
}

/** Where processors or the disk are short, all builds together have a fifth of what all sites have, and of what the rest of the machine has. */
export const buildWeight = 20

/** As the engine makes cgroups, in the words of its /info. */
export function engineCgroups({ CgroupDriver, CgroupVersion }: EngineInfo, run: Run): Cgroups {
  const version = CgroupVersion === '2' ? 2 : 1
  return CgroupDriver === 'systemd' ? createSystemdCgroups({ version, run }) : createCgroupFiles({ version })
}

/**
 * Makes the cage of an account's containers, and resolves with what the engine is to be given as parent. Undefined where there are none, and on a
 * machine that lets us make none, of which `./panel doctor` tells: each container has its own limits all the same.
 */
export async function ensureAccountCage(
  cgroups: Cgroups,
  cages: AccountCages | undefined,
  account: number | undefined
): Promise<string | undefined> {
  if (cages === undefined || account === undefined) return undefined
  return orWithout(async () => cgroups.ensure([...cages.path, String(account)], cages.limits))
}

/** What the cgroup of a build of an account is to lie in, or of the panel's own; nothing where there are no cages. */
export async function ensureBuildCage(
  cgroups: Cgroups,
  cages: AccountCages | undefined,
  account: number | undefined
): Promise<CgroupPath | undefined> {
  if (cages === undefined) return undefined
  return orWithout(async () => {
    await cgroups.ensure(cages.builds, { weight: buildWeight })
    if (account === undefined) return cages.builds
    const path: CgroupPath = [...cages.builds, String(account)]
    await cgroups.ensure(path, cages.limits)
    return path
  })
}

async function orWithout<Result>(make: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await make()
  } catch (error) {
    if (!(error instanceof CgroupError)) throw error
    return undefined
  }
}
