import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { endToEndFilesFor } from './test-changes.ts'

const files = [
  'e2e/deployments/first-path.test.ts',
  'e2e/files/sftp.test.ts',
  'e2e/dns/large-zones.test.ts',
  'e2e/certificates/issuance.test.ts'
]
const product = (path: string) => `packages/server/src/${path}`

test.each([
  [[product('features/sftp/sftp.service.ts')], ['first-path', 'sftp']],
  [[product('features/dns-zones/zones.service.ts'), product('infra/acme/acme.ts')], ['first-path', 'dns-zones', 'certificates']], // prettier-ignore
  [['packages/contract/src/sftp.ts'], ['first-path', 'sftp']],
  [[product('ids.ts')], ['first-path']],
  [[product('features/sftp/sftp.policy.test.ts'), 'docs/operations.md', 'e2e/files/sftp.test.ts'], []],
  [[], []]
])('a change of %j runs %j', (changed, names) => {
  expect(endToEndFilesFor(changed, files)).toEqual(names.map((name) => `e2e/${name}.test.ts`))
})

test('every end-to-end file is run for some part of the product', () => {
  const directory = fileURLToPath(new URL('../../../../e2e/', import.meta.url))
  const all = readdirSync(directory).filter((name) => name.endsWith('.test.ts'))
  const parts = ['acme', 'dashboard', 'dns', 'haproxy', 'sftp', 'wordpress', 'database', 'image', 'env-vars', 'git', 'firewall', 'disk', 'mail', 'file', 'api-tokens', 'programs/'] // prettier-ignore
  expect(endToEndFilesFor(parts.map((part) => product(`${part}/x.ts`)), all)).toEqual(all) // prettier-ignore
})
