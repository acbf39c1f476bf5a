import { expect, test } from 'vitest'
import { requireFreeDisk, freeFloor } from './free-disk-space.ts'

const config = { PROJECTS_DIR: '/projects', DATA_DIR: '/data', MIN_FREE_DISK: 100, STORE_RESERVE: 40 } as Parameters<typeof requireFreeDisk>[0]['config'] // oxfmt-ignore
const budget = (free: Record<string, number>) =>
  requireFreeDisk({ config, freeDiskBytes: async (directory) => free[directory] }, 1000)

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

test.each([
  ['rows', 50],
  ['files', 100]
] as const)('%s take a floor of %d', (writes, floor) => expect(freeFloor(config, '/data', writes)).toBe(floor))

test('a full project disk does not block rows', async () => {
  const deps = { config, freeDiskBytes: async (directory: string) => (directory === '/projects' ? 99 : 5000) }
  expect(await requireFreeDisk(deps, 1000, 'rows')).toBe(1000)
  await expect(requireFreeDisk(deps)).rejects.toMatchObject({ code: 'DISK_FULL' })
  expect(await requireFreeDisk({ ...deps, config: { ...config, MIN_FREE_DISK: 0 } })).toBe(99)
})

test('rows are allowed where files are not, but never in the released reserve', async () => {
  const deps = (bytes: number) => ({ config, freeDiskBytes: async () => bytes })
  await expect(requireFreeDisk(deps(60))).rejects.toMatchObject({ code: 'DISK_FULL' })
  expect(await requireFreeDisk(deps(60), Infinity, 'rows')).toBe(10)
  await expect(requireFreeDisk(deps(config.STORE_RESERVE), Infinity, 'rows')).rejects.toMatchObject({
    code: 'DISK_FULL'
  })
})
