import type { UserRow } from './users.repository.ts'

/** Memory (MiB) and CPU cores that containers may use together. */
export interface Capacity {
  memoryMb: number
  cpus: number
}

/** Whose containers are counted: those of accounts, or those on a machine. */
export type CapacityScope = { userIds: readonly string[] } | { nodeId: string }

type CapacityLimits = Pick<UserRow, 'maxMemoryMb' | 'maxCpus'>

export const noCapacity: Capacity = { memoryMb: 0, cpus: 0 }

export const capacityQuotas = [
  { quota: 'maxMemoryMb', part: 'memoryMb', noun: 'MB of memory' },
  { quota: 'maxCpus', part: 'cpus', noun: 'CPU cores' }
] as const

// Sums of cores such as 0.1 + 0.2 must not exceed a limit of 0.3.
const round = (cpus: number): number => Math.round(cpus * 1000) / 1000

export const addCapacity = (parts: readonly Capacity[]): Capacity =>
  parts.reduce((sum, { memoryMb, cpus }) => ({ memoryMb: sum.memoryMb + memoryMb, cpus: round(sum.cpus + cpus) }), noCapacity) // oxfmt-ignore

export const timesCapacity = ({ memoryMb, cpus }: Capacity, instances: number): Capacity => ({
  memoryMb: instances * memoryMb,
  cpus: round(instances * cpus)
})

/** The first quota that a change exceeds. One that shrinks or stays is never refused, even above the quota. */
export function findExceeded(limits: CapacityLimits, used: Capacity, change: { before: Capacity; after: Capacity }) {
  return capacityQuotas.find(
    ({ quota, part }) =>
      change.after[part] > change.before[part] && limits[quota] !== null && used[part] > limits[quota]
  )
}

/** What is left of the tightest limit; Infinity without one. */
export const roomIn = (accounts: readonly { limits: CapacityLimits; used: Capacity }[]): Capacity => ({
  memoryMb: Math.min(...accounts.map(({ limits, used }) => (limits.maxMemoryMb ?? Infinity) - used.memoryMb)),
  cpus: Math.min(...accounts.map(({ limits, used }) => round((limits.maxCpus ?? Infinity) - used.cpus)))
})

/** How many of `wanted` instances have room. */
export function instancesThatFit(wanted: number, size: Capacity, room: Capacity): number {
  const most = Math.min(room.memoryMb / size.memoryMb, round(room.cpus / size.cpus))
  return Math.max(0, Math.min(wanted, Math.floor(most)))
}
