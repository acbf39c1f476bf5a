import { AppError } from '../../errors.ts'
import type { Config } from '../../config.ts'
import { type Capacity, instancesThatFit, timesCapacity } from '../users/capacity.policy.ts'

interface Size {
  memoryMb: number | null
  cpus: number | null
}
type Limits = Pick<Config, 'DEPLOY_MEMORY_LIMIT' | 'DEPLOY_CPU_LIMIT'>

const mebibyte = 2 ** 20

/** Of one instance; a limit of the server that was lowered later applies too. */
export const limitsOf = (config: Limits, { memoryMb, cpus }: Size): { memoryBytes: number; cpus: number } => ({
  memoryBytes: Math.min(memoryMb === null ? Infinity : memoryMb * mebibyte, config.DEPLOY_MEMORY_LIMIT),
  cpus: Math.min(cpus ?? Infinity, config.DEPLOY_CPU_LIMIT)
})

/** What the instances of a worker count against the quotas of the account. */
export function workerCapacity(config: Limits, { instances, ...size }: Size & { instances: number }): Capacity {
  const { memoryBytes, cpus } = limitsOf(config, size)
  return timesCapacity({ memoryMb: Math.ceil(memoryBytes / mebibyte), cpus }, instances)
}

/** What an account has left: instances of workers, memory and CPU. */
export interface WorkerRoom extends Capacity {
  instances: number
}

/** How many of the requested instances of each worker have room, the first ones first. */
export function fitWorkers<Worker extends Size & { instances: number }>(
  config: Limits,
  workers: readonly Worker[],
  room: WorkerRoom
): (Worker & { fitting: number })[] {
  const left = { ...room }
  return workers.map((worker) => {
    const wanted = Math.max(0, Math.min(worker.instances, left.instances))
    const fitting = instancesThatFit(wanted, workerCapacity(config, { ...worker, instances: 1 }), left)
    const taken = workerCapacity(config, { ...worker, instances: fitting })
    left.instances -= fitting
    left.memoryMb -= taken.memoryMb
    left.cpus -= taken.cpus
    return { ...worker, fitting }
  })
}

export function refuseAboveLimits(config: Limits, { memoryMb, cpus }: Partial<Size>): void {
  const most = Math.floor(config.DEPLOY_MEMORY_LIMIT / mebibyte)
  if (memoryMb != null && memoryMb > most)
    throw new AppError('QUOTA_EXCEEDED', `A container on this server can have at most ${most} MiB of memory.`)
  if (cpus != null && cpus > config.DEPLOY_CPU_LIMIT)
    throw new AppError(
      'QUOTA_EXCEEDED',
      `A container on this server can have at most ${config.DEPLOY_CPU_LIMIT} cores.`
    )
}
