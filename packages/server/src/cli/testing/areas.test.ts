import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { areaProblems, areasOfChange, readAreas } from './areas.ts'

const root = fileURLToPath(new URL('../../../../../', import.meta.url))
const areas = { dns: ['dns-*', 'knot'], cli: ['packages/cli'], system: ['programs', 'scripts'] }

test.each([
  [['packages/server/src/features/dns-zones/zones.service.ts'], ['dns']],
  [['packages/contract/src/dns-records.ts', 'packages/dashboard/src/features/dns-records/page.tsx'], ['dns']],
  [['packages/server/src/programs/knot.ts'], ['dns', 'system']],
  [
    ['packages/cli/src/main.ts', 'scripts/bundle.mjs'],
    ['cli', 'system']
  ],
  [['packages/server/src/app.ts'], ['cli', 'dns', 'system']],
  [['e2e/support/panel.ts'], ['cli', 'dns', 'system']],
  [['e2e/dns/records.test.ts'], ['dns']],
  [['packages/server/src/features/dns-zones/zone.test.ts', 'packages/server/test/dns.test.ts', 'docs/testing.md'], []]
])('a change of %j concerns %j', (paths, expected) => {
  expect(areasOfChange(areas, paths)).toEqual(expected)
})

test('a product folder or a folder of tests without an area is reported', () => {
  const { git: _, ...others } = readAreas(root)
  expect(areaProblems(root, others)).toEqual([
    'packages/server/src/features/git belongs to no area. Add it to e2e/areas.json',
    'packages/server/src/infra/git belongs to no area. Add it to e2e/areas.json',
    'e2e/git is not an area. Add it to e2e/areas.json'
  ])
})
