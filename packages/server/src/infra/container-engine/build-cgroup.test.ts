import { describe, expect, test } from 'vitest'
import { CgroupError, type Cgroups } from '../cgroup/cgroup.ts'
import { run } from '../process/run.ts'
import { createBuildCgroup } from './build-cgroup.ts'
import { type AccountCages, ensureAccountCage, ensureBuildCage } from './engine-cgroups.ts'

const noCgroups: Cgroups = {
  ensure: () => Promise.reject(new CgroupError('read-only')),
  enter: () => Promise.reject(new CgroupError('read-only')),
  listPids: async () => [],
  remove: async () => true
}

const cages: AccountCages = {
  path: ['panelx', 'accounts'],
  builds: ['panelxbuilds'],
  limits: { memoryBytes: 2 ** 30 }
}

describe('what is built has less of the processors than what serves', () => {
  const made = async (account: number | undefined) => {
    const ensured: [string, object][] = []
    const recording: Cgroups = {
      ...noCgroups,
      ensure: async (path, limits) => {
        ensured.push([path.join('/'), limits])
        return `/${path.join('/')}`
      }
    }
    return { path: await ensureBuildCage(recording, cages, account), ensured }
  }

  test('builds lie beside all sites, with a fifth of their weight, each account with its limits', async () => {
    expect(await made(20_001)).toEqual({
      path: ['panelxbuilds', '20001'],
      ensured: [
        ['panelxbuilds', { weight: 20 }],
        ['panelxbuilds/20001', { memoryBytes: 2 ** 30 }]
      ]
    })
  })

  test('those of the panel itself too', async () => {
    expect(await made(undefined)).toEqual({ path: ['panelxbuilds'], ensured: [['panelxbuilds', { weight: 20 }]] })
  })
})

describe('where the machine lets us make none', () => {
  test('a build is refused: its limit of processes could not be set', async () => {
    await expect(createBuildCgroup({ cgroups: noCgroups, run }, ['panelbuild1'], 64)).rejects.toMatchObject({
      name: 'EngineError',
      message: 'The process limit of the build could not be set: read-only'
    })
  })

  test('a container has no cage of its account, and its own limits', async () => {
    expect(await ensureAccountCage(noCgroups, cages, 20_001)).toBeUndefined()
    expect(await ensureBuildCage(noCgroups, cages, 20_001)).toBeUndefined()
  })
})
