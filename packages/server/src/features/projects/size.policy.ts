import type { ContainerSize } from '@panel/contract/projects'
import type { Config } from '../../config.ts'

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

/** What one container counts against the quotas of the account. */
export function sizeToCount(config: SizeDefaults, size: ContainerSize | null): { memoryMb: number; cpus: number } {
  const { memoryBytes, cpus } = limitsOfSize(config, size)
  return { memoryMb: Math.ceil(memoryBytes / mebibyte), cpus }
}
