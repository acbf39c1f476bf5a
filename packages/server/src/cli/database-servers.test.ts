import { expect, test } from 'vitest'
import { databasePorts, ownEngines } from './database-servers.ts'

const defaults = {
  POSTGRES_PORT: 5432,
  MYSQL_PORT: 3306,
  POSTGRES_ADMIN_URL: undefined,
  MYSQL_ADMIN_URL: undefined,
  POSTGRES_HOST: undefined,
  MYSQL_HOST: undefined
}

test.each([
  ['nothing given', {}, ['PostgreSQL', 'MariaDB'], [5432, 3306]],
  ['another port', { MYSQL_PORT: 3307 }, ['PostgreSQL', 'MariaDB'], [5432, 3307]],
  ['one elsewhere', { POSTGRES_ADMIN_URL: 'postgresql://a@db.example.net/postgres' }, ['MariaDB'], [3306]],
  ['one of this machine', { MYSQL_ADMIN_URL: 'mysql://a@127.0.0.1:3310/' }, ['PostgreSQL'], [5432, 3310]],
  ['one of this machine, without its port', { MYSQL_ADMIN_URL: 'mysql://a@localhost/' }, ['PostgreSQL'], [5432, 3306]],
  [
    'one of this machine that sites reach elsewhere',
    { MYSQL_ADMIN_URL: 'mysql://a@localhost/', MYSQL_HOST: '192.0.2.1' },
    ['PostgreSQL'],
    [5432]
  ]
])('%s: which engines are ours, which ports are open to sites', (_, given, names, ports) => {
  const config = { ...defaults, ...given }
  expect(ownEngines(config).map(({ name }) => name)).toEqual(names)
  expect(databasePorts(config)).toEqual(ports)
})
