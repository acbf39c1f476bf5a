import { expect, test } from 'vitest'
import { clients } from './database-client.ts'

const password = 'p%40ss'

test.each([
  ['POSTGRESQL', 'postgresql', 'PGPASSWORD'],
  ['MYSQL', 'mysql', 'MYSQL_PWD']
] as const)('the password of %s is in the environment only', (type, scheme, variable) => {
  const url = new URL(`${scheme}://ann:${password}@127.0.0.1:5555/shop`)
  for (const build of Object.values(clients[type])) {
    const { args, env } = build(url, {})
    expect(env[variable]).toBe('p@ss')
    expect(args.join(' ')).not.toContain('p@ss')
    expect([...args, ...Object.values(env)].join(' ')).toContain('5555')
    const tunnel = build(url, { host: 'localhost', port: '6000' })
    expect([...tunnel.args, ...Object.values(tunnel.env)].join(' ')).toContain('6000')
  }
})
