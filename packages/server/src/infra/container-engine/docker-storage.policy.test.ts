import { expect, test } from 'vitest'
import { canLimitLayers } from './docker-storage.policy.ts'

const xfs = {
  point: '/var/lib/docker',
  type: 'xfs',
  source: '/dev/x',
  options: ['rw'],
  superOptions: ['rw', 'prjquota']
}
const info = (driver: string, fileSystem: string) => ({
  Driver: driver,
  DriverStatus: [
    ['Backing Filesystem', fileSystem],
    ['Supports d_type', 'true']
  ] as [string, string][]
})

test.each([
  ['overlay2 on XFS with quotas of projects', info('overlay2', 'xfs'), xfs, true],
  ['without them', info('overlay2', 'xfs'), { ...xfs, superOptions: ['rw', 'usrquota'] }, false],
  ['on ext4, whatever its options', info('overlay2', 'extfs'), { ...xfs, type: 'ext4' }, false],
  ['an engine that is on another file system than it seems', info('overlay2', 'extfs'), xfs, false],
  ['another driver', info('vfs', 'xfs'), xfs, false],
  ['an engine that keeps its files elsewhere', info('overlay2', 'xfs'), undefined, false],
  ['an engine that says nothing', {}, xfs, false]
] as const)('%s', (_name, engine, mount, expected) => expect(canLimitLayers(engine, mount)).toBe(expected))
