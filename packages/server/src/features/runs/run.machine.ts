import type { RunStatus } from '@panel/contract/runs'

/** Statuses that a run may come from; moves are compare-and-swap on them. */
export const sourcesOf = {
  QUEUED: [],
  RUNNING: ['QUEUED'],
  SUCCEEDED: ['RUNNING'],
  FAILED: ['RUNNING'],
  TIMED_OUT: ['RUNNING'],
  STOPPED: ['QUEUED', 'RUNNING'],
  SKIPPED: ['QUEUED']
} as const satisfies Record<RunStatus, readonly RunStatus[]>

export const openStatuses = ['QUEUED', 'RUNNING'] as const

export const isOpen = (status: RunStatus): boolean => openStatuses.some((open) => open === status)
