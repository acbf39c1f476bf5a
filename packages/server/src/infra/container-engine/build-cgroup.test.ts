import { describe, expect, test } from 'vitest'
import { CgroupError, type Cgroups } from '../cgroup/cgroup.ts'
import { run } from '../process/run.ts'
import { createBuildCgroup } from './build-cgroup.ts'
import { type AccountCages, ensureAccountCgroup, ensureBuildCgroup } from './engine-cgroups.ts'

const noCgroups: Cgroups = {
  ensure: () => Promise.reject(new CgroupError('read-only')),
  directory: (path) => `/${path.join('/')}`,
  enter: () => Promise.reject(new CgroupError('read-only')),
  listPids: async () => [],
  remove: async () => true
}

const cages: AccountCages = {
  path: ['panelx', 'accounts'],
  builds: ['panelxbuilds'],
  limits: { memoryBytes: 2 ** 30 }
}

describe('builds have a lower CPU weight than sites', () => {
  const made = async (account: number | undefined) => {
    const ensured: [string, object][] = []
    const recording: Cgroups = {
      ...noCgroups,
      ensure: async (path, limits) => {
        ensured.push([path.join('/'), limits])
        return `/${path.join('/')}`
      }
    }
    return { path: await ensureBuildCgroup(recording, cages, account), ensured }
  }

  test('build cgroups are siblings of the sites’, with a fifth of the weight and limits per account', async () => {
    expect(await made(20_001)).toEqual({
      path: ['panelxbuilds', '20001'],
      ensured: [
        ['panelxbuilds', { weight: 20 }],
        ['panelxbuilds/20001', { memoryBytes: 2 ** 30 }]
      ]
    })
  })

  test('applies to the panel’s own builds', async () => {
    expect(await made(undefined)).toEqual({ path: ['panelxbuilds'], ensured: [['panelxbuilds', { weight: 20 }]] })
  })
})

describe('when cgroups cannot be created', () => {
  test('a build is rejected, because its process limit cannot be set', async () => {
    await expect(createBuildCgroup({ cgroups: noCgroups, run }, ['panelbuild1'], { pids: 64 })).rejects.toMatchObject({
      name: 'EngineError',
      message: 'The limits for the build could not be set: read-only'
    })
  })

  test('a container runs without account cgroup, with its own limits', async () => {
    expect(await ensureAccountCgroup(noCgroups, cages, 20_001)).toBeUndefined()
    expect(await ensureBuildCgroup(noCgroups, cages, 20_001)).toBeUndefined()
  })
})
