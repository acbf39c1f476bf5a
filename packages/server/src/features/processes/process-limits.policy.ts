import { AppError } from '../../errors.ts'
import type { Config } from '../../config.ts'

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
