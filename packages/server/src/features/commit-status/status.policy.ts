import type { CommitState, CommitStatusCode } from '@panel/contract/commit-status'
import type { DeploymentStatus } from '@panel/contract/deployments'
import type { Sentence } from '@panel/contract/sentences'

export const stateOf: Readonly<Record<DeploymentStatus, CommitState>> = {
  QUEUED: 'PENDING',
  BUILDING: 'PENDING',
  DEPLOYING: 'PENDING',
  RUNNING: 'SUCCESS',
  FAILED: 'FAILURE',
  CANCELLED: 'CANCELLED'
}

export interface Outcome {
  problem: Sentence<CommitStatusCode> | null
  isFinal: boolean
}

/** What an answer of the API means. */
export function outcomeOf(status: number): Outcome {
  if (status >= 200 && status < 300) return { problem: null, isFinal: true }
  if (status >= 300 && status < 400) return { problem: { code: 'REDIRECTED' }, isFinal: true }
  if (status === 401 || status === 403) return { problem: { code: 'TOKEN_REJECTED' }, isFinal: status === 401 }
  if (status === 404 || status === 422) return { problem: { code: 'COMMIT_NOT_FOUND' }, isFinal: true }
  const isWorthRetry = status >= 500 || status === 408 || status === 425 || status === 429
  return { problem: { code: 'ANSWERED', values: { status } }, isFinal: !isWorthRetry }
}

const pausesSeconds = [30, 120, 600, 3600, 6 * 3600]

/** Undefined after the last attempt. */
export const pauseAfter = (attempts: number): number | undefined => pausesSeconds[attempts - 1]
