import { expect, test } from 'vitest'
import { deploymentOfState, projectState } from './project-state.ts'

const fresh = {
  status: 'ACTIVE',
  containerStatus: null,
  stopReason: null,
  asleepSince: null,
  deployedAt: null,
  latestDeployment: null
} as const
const live = { ...fresh, containerStatus: 'running', deployedAt: '2026-01-31T00:00:00Z' }
const latest = (status: 'QUEUED' | 'BUILDING' | 'DEPLOYING' | 'RUNNING' | 'FAILED' | 'CANCELLED') => ({
  latestDeployment: { id: 'd', status, createdAt: '2026-01-31T00:00:00Z' }
})

test.each([
  [fresh, 'state.new', undefined],
  [{ ...fresh, ...latest('FAILED') }, 'state.failed', 'd'],
  [{ ...fresh, ...latest('BUILDING') }, 'state.building', 'd'],
  [{ ...live, ...latest('QUEUED') }, 'state.queued', 'd'],
  [{ ...live, ...latest('DEPLOYING') }, 'state.starting', 'd'],
  [{ ...live, ...latest('RUNNING') }, 'state.running', undefined],
  [{ ...live, ...latest('CANCELLED') }, 'state.running', undefined],
  [{ ...live, ...latest('FAILED') }, 'state.lastFailed', 'd'],
  [{ ...live, containerStatus: 'restarting' }, 'state.restarting', undefined],
  [{ ...live, containerStatus: 'exited' }, 'state.gone', undefined],
  [{ ...live, containerStatus: 'exited', asleepSince: '2026-01-31T00:00:00Z' }, 'state.sleeping', undefined],
  [{ ...live, status: 'STOPPED' as const, containerStatus: 'exited' }, 'state.stopped', undefined],
  [{ ...live, stopReason: 'CONTAINER_DISK_LIMIT', ...latest('FAILED') }, 'state.full', 'd'],
  [{ ...live, containerStatus: null }, 'state.gone', undefined]
])('%o is %s', (project, word, deployment) => {
  expect(projectState(project)).toMatchObject({ word })
  expect(deploymentOfState(project)).toBe(deployment)
})
