import { expect, test } from 'vitest'
import { projectState } from './project-state.ts'

const fresh = { containerStatus: null, stopReason: null, deployedAt: null }

test.each([
  [fresh, 'state.new', 'idle'],
  [{ ...fresh, containerStatus: 'running' }, 'state.running', 'running'],
  [{ ...fresh, containerStatus: 'restarting' }, 'state.restarting', 'attention'],
  [{ ...fresh, containerStatus: 'exited' }, 'state.stopped', 'idle'],
  [{ ...fresh, containerStatus: 'exited', stopReason: 'CONTAINER_DISK_LIMIT' }, 'state.full', 'attention'],
  [{ ...fresh, deployedAt: '2026-01-31T00:00:00Z' }, 'state.gone', 'attention']
])('%o is %s', (project, word, group) => {
  expect(projectState(project)).toMatchObject({ word, group })
})
