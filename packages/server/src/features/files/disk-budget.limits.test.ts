import { expect, test } from 'vitest'
import { diskBudget } from './disk-budget.limits.ts'

const config = { PROJECTS_DIR: '/projects', DATA_DIR: '/data', MIN_FREE_DISK: 100 } as Parameters<typeof diskBudget>[0]['config'] // prettier-ignore
const budget = (free: Record<string, number>) =>
  diskBudget({ config, freeDiskBytes: async (directory) => free[directory] }, 1000)

test.each([
  ['room on both', { '/projects': 5000, '/data': 5000 }, 1000],
  ['less where the projects lie', { '/projects': 300, '/data': 5000 }, 200],
  ['less where the databases lie', { '/projects': 5000, '/data': 300 }, 200],
  ['no directory yet', {}, 1000]
])('%s', async (_name, free, expected) => expect(await budget(free)).toBe(expected))

test.each([
  { '/projects': 100, '/data': 5000 },
  { '/projects': 5000, '/data': 100 }
])('full: %j', async (free) => {
  await expect(budget(free)).rejects.toMatchObject({ code: 'DISK_FULL' })
})
