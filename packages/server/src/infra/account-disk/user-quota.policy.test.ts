import { expect, test } from 'vitest'
import { hasUserQuotas, limitCommand, parseReport } from './user-quota.policy.ts'

const mount = (type: string, superOptions: string[]) => ({
  point: '/srv',
  type,
  source: '/dev/x',
  options: ['rw'],
  superOptions
})

test.each([
  ['ext4', ['rw', 'quota', 'usrquota'], true],
  ['xfs', ['rw', 'usrquota'], true],
  ['ext4', ['rw', 'prjquota'], false],
  ['btrfs', ['rw', 'usrquota'], false]
])('%s with %j: %s', (type, options, expected) => expect(hasUserQuotas(mount(type, options))).toBe(expected))

test.each([
  [null, '0'],
  [0, '4'],
  [10 * 2 ** 20, '10240']
])('a limit of %s is %s blocks', (bytes, blocks) =>
  expect(limitCommand('/srv', 20_001, bytes)).toEqual(['setquota', '--user', '20001', '0', blocks, '0', '0', '/srv'])
)

test('a report', () => {
  const csv = `User,BlockStatus,FileStatus,BlockUsed,BlockSoftLimit,BlockHardLimit,BlockGrace,FileUsed,FileSoftLimit,FileHardLimit,FileGrace
#0,ok,ok,20,0,0,0,2,0,0,0
#20001,ok,ok,1024,0,2048,0,3,0,0,0
`
  expect([...parseReport(csv)]).toEqual([
    [0, { bytes: 20_480, limit: 0 }],
    [20_001, { bytes: 2 ** 20, limit: 2 ** 21 }]
  ])
  expect(parseReport('')).toEqual(new Map())
})
