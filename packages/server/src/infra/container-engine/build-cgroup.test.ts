import { describe, expect, test } from 'vitest'
import { CgroupError, type CgroupPath, type Cgroups } from '../cgroup/cgroup.ts'
import { createBuildCgroup } from './build-cgroup.ts'
import { ensureAccountCage } from './engine-cgroups.ts'

const noCgroups: Cgroups = {
  ensure: () => Promise.reject(new CgroupError('read-only')),
  enter: () => Promise.reject(new CgroupError('read-only')),
  listPids: async () => [],
  remove: async () => true
}

describe('where the machine lets us make none', () => {
  test('a build is refused: its limit of processes could not be set', async () => {
    await expect(createBuildCgroup(noCgroups, ['panelbuild1'], 64)).rejects.toMatchObject({
      name: 'EngineError',
      message: 'The process limit of the build could not be set: read-only'
    })
  })

  test('a container has no cage of its account, and its own limits', async () => {
    const cages = { path: ['panelx', 'accounts'] as CgroupPath, limits: {} }
    expect(await ensureAccountCage(noCgroups, cages, 20_001)).toBeUndefined()
  })
})
