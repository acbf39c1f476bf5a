import type { MachineStatus } from '@panel/contract/machines'
import type { MachineProblem } from '@panel/contract/machine-texts'
import type { Sentence } from '@panel/contract/sentences'

/** Checks in a row that a machine may miss before it counts as away. */
export const awayAfter = 3

interface NodeState {
  isOwn: boolean
  isPaused: boolean
  seenAt: Date | null
  missedChecks: number
}

/** The panel's own machine is never away: what would find that out runs there. */
export function nodeStatus({ isOwn, isPaused, seenAt, missedChecks }: NodeState): MachineStatus {
  if (!isOwn && seenAt === null) return 'JOINING'
  if (!isOwn && missedChecks >= awayAfter) return 'AWAY'
  return isPaused ? 'PAUSED' : 'ACTIVE'
}

const harmless: ReadonlySet<MachineProblem> = new Set(['NOT_DEBIAN', 'CLOCK', 'DISK', 'PROXY'])

/** Whether containers can start on a machine with these problems. */
export const isFit = (problems: readonly Sentence<MachineProblem>[]): boolean =>
  problems.every(({ code }) => harmless.has(code))

/** What a check found: a value, or why there is none. */
export type Found<T> = { value: T } | { problem: string }

interface CheckedNode {
  facts: {
    system: string
    isDebian: boolean
    disk: { totalBytes: number; usedBytes: number }
    clockSkewMs: number
  }
  engineVersion: Found<string>
  panelVersion: Found<string>
  /** Of its proxy for visitors; undefined if it has none. */
  proxy: Found<void> | undefined
}

const maxSkewMs = 1_000
const maxDiskShare = 0.9

export function nodeProblems(
  { facts, engineVersion, panelVersion, proxy }: CheckedNode,
  own: string
): Sentence<MachineProblem>[] {
  const problems: Sentence<MachineProblem>[] = []
  const diskShare = facts.disk.totalBytes === 0 ? 0 : facts.disk.usedBytes / facts.disk.totalBytes
  if (!facts.isDebian) problems.push({ code: 'NOT_DEBIAN', values: { system: facts.system } })
  if ('problem' in engineVersion) problems.push({ code: 'ENGINE', values: { reason: engineVersion.problem } })
  if ('problem' in panelVersion) problems.push({ code: 'HELPER', values: { reason: panelVersion.problem } })
  else if (panelVersion.value !== own) problems.push({ code: 'VERSION', values: { version: panelVersion.value, own } })
  if (Math.abs(facts.clockSkewMs) > maxSkewMs)
    problems.push({ code: 'CLOCK', values: { seconds: Math.round(facts.clockSkewMs / 1000) } })
  if (proxy && 'problem' in proxy) problems.push({ code: 'PROXY', values: { reason: proxy.problem } })
  if (diskShare > maxDiskShare) problems.push({ code: 'DISK', values: { percent: Math.floor(diskShare * 100) } })
  return problems
}
