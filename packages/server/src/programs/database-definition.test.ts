import { expect, test } from 'vitest'
import { parseConfig } from '../config.ts'
import { mariadb } from './mariadb.ts'
import { postgresql } from './postgresql.ts'

test.each([
  ['nothing given', {}, ['PostgreSQL', 'MariaDB'], [5432, 3306]],
  ['another port', { MYSQL_PORT: '3307' }, ['PostgreSQL', 'MariaDB'], [5432, 3307]],
  ['one elsewhere', { POSTGRES_ADMIN_URL: 'postgresql://a@db.example.net/postgres' }, ['MariaDB'], [3306]],
  ['one of this machine', { MYSQL_ADMIN_URL: 'mysql://a@127.0.0.1:3310/' }, ['PostgreSQL'], [5432, 3310]],
  ['one of this machine, without its port', { MYSQL_ADMIN_URL: 'mysql://a@localhost/' }, ['PostgreSQL'], [5432, 3306]],
  [
    'one of this machine that sites reach elsewhere',
    { MYSQL_ADMIN_URL: 'mysql://a@localhost/', MYSQL_HOST: '192.0.2.1' },
    ['PostgreSQL'],
    [5432]
  ]
])('%s: own servers and ports open to sites', (_, given, titles, ports) => {
  const config = parseConfig({ SESSION_SECRET: 'f00dfacef00dfacef00dfacef00dfacef00dface', ...given })
  const servers = [postgresql, mariadb]
  expect(servers.filter((server) => server.isOurs(config)).map(({ title }) => title)).toEqual(titles)
  expect(servers.flatMap((server) => server.ports(config))).toEqual(
    ports.map((port) => ({ port, containers: 'gateway' }))
  )
})
