import { expect, test } from 'vitest'
import { describeDisks, findAlerts, isMeasurementDue, largestProjects, usedPercent } from './server-disk.policy.ts'

const root = { device: 1, mountPoint: '/', totalBytes: 1000, usedBytes: 700, freeBytes: 250 }
const backup = { device: 2, mountPoint: '/mnt/backup', totalBytes: 500, usedBytes: 100, freeBytes: 400 }

test('each disk has what is on it by kind, and the rest', () => {
  const places = [
    { kind: 'MAIL', device: 1, bytes: 100 },
    { kind: 'PROJECTS', device: 1, bytes: 120 },
    { kind: 'PROJECTS', device: 1, bytes: 80 },
    { kind: 'BACKUPS', device: 2, bytes: 150 }
  ] as const
  expect(describeDisks([backup, root], places, 1)).toEqual([
    {
      path: '/',
      isPanels: true,
      totalBytes: 1000,
      usedBytes: 700,
      freeBytes: 250,
      kinds: [
        { kind: 'OTHER', bytes: 400 },
        { kind: 'PROJECTS', bytes: 200 },
        { kind: 'MAIL', bytes: 100 }
      ]
    },
    {
      path: '/mnt/backup',
      isPanels: false,
      totalBytes: 500,
      usedBytes: 100,
      freeBytes: 400,
      // Layers that images share count more than once.
      kinds: [
        { kind: 'BACKUPS', bytes: 150 },
        { kind: 'OTHER', bytes: 0 }
      ]
    }
  ])
})

test('the largest projects come first, with files and images', () => {
  const place = (kind: 'PROJECTS' | 'IMAGES' | 'BUILD_CACHE', bytes: number, projectId?: string) => ({
    kind,
    bytes,
    projectId
  })
  const projects = ['a', 'b', 'c'].map((id) => ({ id, name: `site ${id}` }))
  const places = [
    place('PROJECTS', 1, 'a'),
    place('IMAGES', 2, 'a'),
    place('PROJECTS', 5, 'b'),
    place('BUILD_CACHE', 2, 'a')
  ]
  const listed = largestProjects(projects, [...places, place('IMAGES', 9), place('IMAGES', 9, 'deleted')])
  expect(listed.map(({ id, filesBytes, imagesBytes, bytes }) => [id, filesBytes, imagesBytes, bytes])).toEqual([
    ['a', 1, 4, 5],
    ['b', 5, 0, 5],
    ['c', 0, 0, 0]
  ])
})

const now = new Date('2026-01-31T12:00:00Z')
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000)

test.each([
  ['never measured', undefined, true],
  ['an interval ago', { measuredAt: ago(3600), tookMs: 1000 }, true],
  ['a second less', { measuredAt: ago(3599), tookMs: 1000 }, true],
  ['half an interval ago', { measuredAt: ago(1800), tookMs: 1000 }, false],
  ['ten minutes of walking, three hours ago', { measuredAt: ago(3 * 3600), tookMs: 600_000 }, false],
  ['ten minutes of walking, four hours ago', { measuredAt: ago(4 * 3600), tookMs: 600_000 }, true]
])('%s: a measurement is due: %s', (_name, last, expected) => expect(isMeasurementDue(last, now, 3600)).toBe(expected))

test('usage is a share of what others than root can use', () => {
  expect(usedPercent({ usedBytes: 95, freeBytes: 0 })).toBe(100)
  expect(usedPercent({ usedBytes: 0, freeBytes: 0 })).toBe(0)
})

const disk = (usedBytes: number, isPanels = false) => ({
  path: isPanels ? '/' : '/mnt',
  isPanels,
  usedBytes,
  freeBytes: 100 - usedBytes
})
const limits = { alertDays: 7, alertPercent: 90 }

test.each([
  ['nothing', [], { daysUntilFull: null, disks: [disk(90)] }, []],
  ['full soon', [], { daysUntilFull: 6.9, disks: [] }, [{ about: 'forecast' }]],
  ['not so soon', [], { daysUntilFull: 7, disks: [] }, []],
  ['a little later than soon', ['forecast'], { daysUntilFull: 10, disks: [] }, [{ about: 'forecast' }]],
  ['much later', ['forecast'], { daysUntilFull: 11, disks: [] }, []],
  ['another disk', [], { daysUntilFull: null, disks: [disk(91)] }, [{ about: 'disk', path: '/mnt' }]],
  [
    'another disk within the margin',
    ['/mnt'],
    { daysUntilFull: null, disks: [disk(86)] },
    [{ about: 'disk', path: '/mnt' }]
  ],
  ['another disk with room again', ['/mnt'], { daysUntilFull: null, disks: [disk(85)] }, []],
  ['the panel’s own disk', [], { daysUntilFull: null, disks: [disk(99, true)] }, []]
] as const)('alerts: %s', (_name, raised, facts, expected) =>
  expect(findAlerts(new Set<string>(raised), { ...facts, ...limits })).toEqual(expected)
)
