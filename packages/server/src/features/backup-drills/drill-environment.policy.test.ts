import { expect, test } from 'vitest'
import { drillEnvironment } from './drill-environment.policy.ts'

const live = { database: 'shop', username: 'u_shop_1a2b', password: 'live-Secret_1' }
const scratch = { database: 'drill_x_0', username: 'drill_x_0', password: 'scratch-secret' }

test.each([
  [
    'a URL',
    'postgresql://u_shop_1a2b:live-Secret_1@172.30.0.1/shop',
    'postgresql://drill_x_0:scratch-secret@172.30.0.1/drill_x_0'
  ],
  ['a password', 'live-Secret_1', 'scratch-secret'],
  ['a name', 'shop', 'drill_x_0'],
  ['a username', 'u_shop_1a2b', 'drill_x_0'],
  ['anything else', 'https://shop.example.com/', 'https://shop.example.com/']
])('%s', (_name, value, expected) => {
  // oxfmt-ignore
  expect(drillEnvironment({ ANY: value }, [{ live, scratch }], {})).toEqual({ ANY: expected, PANEL_DRILL: '1' })
})

test('the password of a database that the backup does not have is removed', () => {
  const env = drillEnvironment({ URL: 'mysql://u_shop_1a2b:live-Secret_1@h/shop' }, [{ live, scratch: undefined }], {})
  expect(env.URL).not.toContain(live.password)
})

test('injected variables win', () => {
  const env = drillEnvironment({ DB_NAME: 'edited' }, [{ live, scratch }], { DB_NAME: 'drill_x_0' })
  expect(env.DB_NAME).toBe('drill_x_0')
})
