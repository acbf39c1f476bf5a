import { expect, test } from 'vitest'
import { buildOptions } from '../../../test/contracts/container-engine.contract.ts'
import { buildQuery } from './docker-build.ts'
import { hasPoisonableCache } from './poisonable-cache.ts'

test.each<[string, boolean]>([
  ['', true],
  ['20.10.24+dfsg1', true],
  ['24.0.8', true],
  ['24.0.9', false],
  ['25.0.1', true],
  ['25.0.2', false],
  ['25.1.0', false],
  ['26.1.5+dfsg1', false]
])('%s: %j', (version, isPoisonable) => {
  expect(hasPoisonableCache(version)).toBe(isPoisonable)
})

test('disables the cache only for FROM scratch on affected engines', () => {
  const nocache = (fromScratch: boolean, version: string) =>
    buildQuery(buildOptions({ tag: 't', labels: {}, fromScratch }), 'parent', version).nocache
  expect([nocache(true, '20.10.24'), nocache(false, '20.10.24'), nocache(true, '26.1.5')]).toEqual([true, false, false])
})
