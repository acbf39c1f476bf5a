import { describe, expect, test } from 'vitest'
import { adminUrl } from './admin-url.policy.ts'
import { connectionUri, connectionVariables } from './connection.policy.ts'

const account = { database: 'shop', username: 'u_shop_0123abcd', password: 's3cret' }

describe('a connection URI', () => {
  test.each([
    [
      'POSTGRESQL',
      account,
      { host: '172.30.0.1', port: 5432 },
      'postgresql://u_shop_0123abcd:s3cret@172.30.0.1:5432/shop'
    ],
    ['MYSQL', account, { host: 'localhost', port: 3306 }, 'mysql://u_shop_0123abcd:s3cret@localhost:3306/shop'],
    ['MYSQL', account, { host: 'fd00::1', port: 3306 }, 'mysql://u_shop_0123abcd:s3cret@[fd00::1]:3306/shop']
  ] as const)('%s %j %j', (type, given, address, expected) => {
    expect(connectionUri(type, given, address)).toBe(expected)
  })

  test('round-trips any password', () => {
    const password = 'a:b/c?d#e@f%40 g&h[i]\\ü'
    const url = new URL(connectionUri('POSTGRESQL', { ...account, password }, { host: 'localhost', port: 5432 }))
    expect(decodeURIComponent(url.password)).toBe(password)
    expect([url.username, url.host, url.pathname]).toEqual(['u_shop_0123abcd', 'localhost:5432', '/shop'])
  })

  test('is masked without a password', () => {
    const { password: _, ...rest } = account
    expect(connectionUri('MYSQL', rest, { host: 'localhost', port: 3306 })).toBe(
      'mysql://u_shop_0123abcd:••••••••@localhost:3306/shop'
    )
  })
})

test('the seven variables', () => {
  expect(connectionVariables('MYSQL', account, { host: '172.30.0.1', port: 3306 })).toEqual({
    DATABASE_URL: 'mysql://u_shop_0123abcd:s3cret@172.30.0.1:3306/shop',
    DB_TYPE: 'MYSQL',
    DB_HOST: '172.30.0.1',
    DB_PORT: '3306',
    DB_NAME: 'shop',
    DB_USER: 'u_shop_0123abcd',
    DB_PASSWORD: 's3cret'
  })
})

describe('Adminer link', () => {
  test.each([
    ['POSTGRESQL', 'https://panel.example.com/adminer/?pgsql=&username=u_a_1&db=a&ns=public'],
    ['MYSQL', 'https://panel.example.com/adminer/?server=&username=u_a_1&db=a']
  ] as const)('%s', (type, expected) => {
    expect(adminUrl('https://panel.example.com', type, 'a', 'u_a_1')).toBe(expected)
  })
})
