import { expect, test } from 'vitest'
import { kindOfRelease, parseTrustedComment, releaseProblem, roomProblem } from './release.policy.ts'

const machine = { version: '1.2.0', platform: 'linux-x64', hasOwnNode: false, hasExternalStore: false }
const release = { version: '1.3.0', platform: 'linux-x64' }

test('a newer release for this platform is accepted', () => {
  expect(releaseProblem(release, 'archive', machine)).toBeUndefined()
  expect(releaseProblem(release, 'package', { ...machine, hasOwnNode: true })).toBeUndefined()
})

test.each([
  ['an older version', { version: '1.1.9' }, {}],
  ['the same version', { version: '1.2.0' }, {}],
  ['a release for another platform', { platform: 'linux-arm64' }, {}],
  ['an archive without Node.js', {}, { hasOwnNode: true }],
  ['a store that cannot be restored', {}, { hasExternalStore: true }]
])('%s is refused', (_what, ofRelease, ofMachine) => {
  expect(releaseProblem({ ...release, ...ofRelease }, 'archive', { ...machine, ...ofMachine })).toBeDefined()
})

test('name and version come from the signed comment', () => {
  const comment = 'timestamp:1 file:hosting-panel-1.3.0-linux-x64.tar.gz version:1.3.0'
  expect(parseTrustedComment(comment)).toEqual({ file: 'hosting-panel-1.3.0-linux-x64.tar.gz', version: '1.3.0' })
  expect(parseTrustedComment('timestamp:1 file:install.sh')).toBeUndefined()
})

test.each([
  ['hosting-panel-1.3.0-linux-x64.tar.gz', 'archive'],
  ['hosting-panel_1.3.0_amd64.deb', 'package'],
  ['install.sh', undefined],
  ['../hosting-panel-1.3.0.tar.gz', undefined],
  ['SHA256SUMS', undefined]
])('%s is of kind %s', (file, kind) => expect(kindOfRelease(file)).toBe(kind))

test('room is needed once per file system', () => {
  const gigabyte = 1e9
  const room = { archiveBytes: 0.1 * gigabyte, storeBytes: gigabyte, freeForVersions: gigabyte, freeForData: 3 * gigabyte } // oxfmt-ignore
  expect(roomProblem({ ...room, isSameFileSystem: false })).toBeUndefined()
  expect(roomProblem({ ...room, isSameFileSystem: true })).toBeDefined()
  expect(roomProblem({ ...room, freeForData: gigabyte, isSameFileSystem: false })).toBeDefined()
})
