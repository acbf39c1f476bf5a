import { expect, test } from 'vitest'
import { debianSecondary, type KnotSecondaryOptions, renderKnotSecondary } from './knot-secondary.render.ts'

const options: KnotSecondaryOptions = {
  ...debianSecondary,
  primary: { address: '192.0.2.1', port: 53 },
  transferKey: `${'A'.repeat(43)}=`
}

test('the full configuration', async () => {
  await expect(renderKnotSecondary(options)).toMatchFileSnapshot('./knot-secondary.golden.conf')
})

test.each<[string, Partial<KnotSecondaryOptions>]>([
  ['a primary that is a name', { primary: { address: 'ns1.example.com', port: 53 } }],
  ['another key', { transferKey: 'secret' }],
  ['nothing to listen on', { listen: [] }],
  ['a relative path', { storage: 'knot' }]
])('refuses %s', (_, change) => {
  expect(() => renderKnotSecondary({ ...options, ...change })).toThrow()
})
