import type { ContainerSize } from '@panel/contract/project-sizes'
import type { ProjectType } from '@panel/contract/projects'
import type { Config } from '../../config.ts'
import { AppError } from '../../errors.ts'
import { type Capacity, timesCapacity } from '../users/capacity.policy.ts'

export type SizeDefaults = Pick<Config, 'DEPLOY_MEMORY_LIMIT' | 'DEPLOY_CPU_LIMIT' | 'DEPLOY_PIDS_LIMIT'>

export interface ContainerLimits {
  memoryBytes: number
  cpus: number
  pids: number
}

const mebibyte = 2 ** 20

/** Limits of one container of a project; those of the server unless the project has its own. */
export const limitsOfSize = (config: SizeDefaults, size: ContainerSize | null): ContainerLimits =>
  size === null
    ? { memoryBytes: config.DEPLOY_MEMORY_LIMIT, cpus: config.DEPLOY_CPU_LIMIT, pids: config.DEPLOY_PIDS_LIMIT }
    : { memoryBytes: size.memoryMb * mebibyte, cpus: size.cpus, pids: size.pids }

// 256 MB for a request of PHP, which large plugins ask for, beside Apache and the opcode cache.
const wordpressMb = 384

/** The size of a new project whose owner chose none. Null: as set for the server. */
export function initialSize(config: SizeDefaults, type: ProjectType, room: Capacity): ContainerSize | null {
  const { memoryBytes, cpus, pids } = limitsOfSize(config, null)
  if (type !== 'WORDPRESS' || memoryBytes >= wordpressMb * mebibyte || room.memoryMb < wordpressMb) return null
  return { memoryMb: wordpressMb, cpus, pids, diskMb: null }
}

export type DiskDefault = Pick<Config, 'CONTAINER_DISK_LIMIT'>

/** What one container of a project may write outside its volumes, in bytes. */
export const diskOfSize = (config: DiskDefault, size: ContainerSize | null): number =>
  size?.diskMb == null ? config.CONTAINER_DISK_LIMIT : size.diskMb * mebibyte

interface Sized {
  size: ContainerSize | null
  instances: number
}

/** What the containers of a project count against the quotas of the account. */
export function sizeToCount(config: SizeDefaults, { size, instances }: Sized): Capacity {
  const { memoryBytes, cpus } = limitsOfSize(config, size)
  return timesCapacity({ memoryMb: Math.ceil(memoryBytes / mebibyte), cpus }, instances)
}

/** Rejects several instances of a type whose software expects to be alone with its files. */
export function checkInstances(type: ProjectType, instances: number | undefined): void {
  if (type === 'WORDPRESS' && (instances ?? 1) > 1)
    throw new AppError(
      'INVALID_TARGET',
      'A WordPress project has one instance: its plugins expect to be alone with their files.'
    )
}

/** `line` ends with the account (`lockWithResellers`). */
export function checkDisk(line: readonly { maxDiskMb: number | null }[], size: ContainerSize | null | undefined): void {
  const most = line.at(-1)?.maxDiskMb ?? Infinity
  if ((size?.diskMb ?? 0) > most)
    throw new AppError(
      'QUOTA_EXCEEDED',
      `Your account has a disk limit of ${most} MB. Choose at most that for the disk of a container.`
    )
}
