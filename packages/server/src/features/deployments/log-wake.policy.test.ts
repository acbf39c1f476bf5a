import { expect, test } from 'vitest'
import type { PanelEvent } from '../../infra/event-bus/event-bus.ts'
import { isAboutLog } from './log-wake.policy.ts'

const status = (deploymentId: string) =>
  ({
    to: { userId: 'ann' },
    name: 'deployment:status',
    data: { projectId: 'p', deploymentId, status: 'FAILED' }
  }) as const
const changed = (userId: string, id: string | null, type: 'deployment' | 'project' = 'deployment') =>
  ({ to: { userId }, name: 'changed', data: { type, id, projectId: null } }) as const

test.each<[string, PanelEvent, boolean]>([
  ['this log grew', { to: 'processes', name: 'deployment-log:grew', data: { deploymentId: 'd1' } }, true],
  ['another log grew', { to: 'processes', name: 'deployment-log:grew', data: { deploymentId: 'd2' } }, false],
  ['the status changed', status('d1'), true],
  ['the status of another deployment changed', status('d2'), false],
  ['many deployments of the account changed', changed('ann', null), true],
  ['many deployments of another account changed', changed('bob', null), false],
  [
    'many deployments of all accounts changed',
    { to: 'admins', name: 'changed', data: { type: 'deployment', id: null, projectId: null } },
    false
  ],
  ['another resource of the account changed', changed('ann', null, 'project'), false]
])('re-reads the log when %s: %s', (_what, event, expected) =>
  expect(isAboutLog(event, { deploymentId: 'd1', userId: 'ann' })).toBe(expected)
)
