import { expect, test } from 'vitest'
import { missingOptions, mountOf } from './mount.policy.ts'

const mountinfo = `22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
30 22 7:0 / /srv/pro\\040jects rw,nosuid,nodev,relatime - xfs /dev/loop0 rw,prjquota
31 22 7:1 / /srv/data rw,relatime - ext4 /dev/loop1 rw
32 31 7:2 / /srv/data rw,nodev - ext4 /dev/loop2 rw
`

test.each([
  ['/', '/', ['nosuid', 'nodev']],
  ['/srv', '/', ['nosuid', 'nodev']],
  ['/srv/database', '/', ['nosuid', 'nodev']],
  ['/srv/pro jects/by-id', '/srv/pro jects', []],
  ['/srv/data/x', '/srv/data', ['nosuid']]
])('%s lies on %s, which lacks %j', (path, point, missing) => {
  const mount = mountOf(mountinfo, path)!
  expect([mount.point, missingOptions(mount)]).toEqual([point, missing])
})

test('parses type, source and options', () => {
  expect(mountOf(mountinfo, '/srv/pro jects')).toMatchObject({
    type: 'xfs',
    source: '/dev/loop0',
    superOptions: ['rw', 'prjquota']
  })
})
