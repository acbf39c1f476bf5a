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
  ['it grew', { to: 'processes', name: 'deployment-log:grew', data: { deploymentId: 'd1' } }, true],
  ['another grew', { to: 'processes', name: 'deployment-log:grew', data: { deploymentId: 'd2' } }, false],
  ['it has another state', status('d1'), true],
  ['another has', status('d2'), false],
  ['many of the account have', changed('ann', null), true],
  ['many of another account have', changed('bob', null), false],
  [
    'many of every account have',
    { to: 'admins', name: 'changed', data: { type: 'deployment', id: null, projectId: null } },
    false
  ],
  ['something else of the account', changed('ann', null, 'project'), false]
])('a log is looked at when %s: %s', (_what, event, expected) =>
  expect(isAboutLog(event, { deploymentId: 'd1', userId: 'ann' })).toBe(expected)
)
