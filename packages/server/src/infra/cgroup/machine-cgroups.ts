import { existsSync } from 'node:fs'
import type { Run } from '../process/process.ts'
import type { Cgroups } from './cgroup.ts'
import { createCgroupFiles } from './cgroup-files.ts'
import { createSystemdCgroups } from './systemd-cgroups.ts'

/** For processes that the container engine does not start. Uses systemd if it runs. */
export function machineCgroups(run: Run): Cgroups {
  const version = existsSync('/sys/fs/cgroup/cgroup.controllers') ? 2 : 1
  return existsSync('/run/systemd/system') ? createSystemdCgroups({ version, run }) : createCgroupFiles({ version })
}
