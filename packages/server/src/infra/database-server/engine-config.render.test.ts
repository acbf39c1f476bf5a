import { describe, expect, test } from 'vitest'
import { type MariadbConfigOptions, renderMariadbConfig } from './mariadb-config.render.ts'
import {
  type PostgresqlConfigOptions,
  renderHostBasedAccess,
  renderIdentMap,
  renderPostgresqlConfig
} from './postgresql-config.render.ts'

describe('PostgreSQL', () => {
  const options: PostgresqlConfigOptions = {
    directory: '/var/lib/panel-0123456789ab/postgresql',
    dataDirectory: '/var/lib/panel-0123456789ab/postgresql/data',
    runtimeDirectory: '/var/lib/panel-0123456789ab/postgresql/run',
    listen: ['127.0.0.1', '172.30.0.1'],
    port: 5432,
    containerSubnets: ['172.30.0.0/20', '172.31.0.0/16'],
    admin: 'panel',
    systemUser: 'root'
  }

  test('the three files', async () => {
    await expect(renderPostgresqlConfig(options)).toMatchFileSnapshot('./postgresql.golden.conf')
    expect(renderHostBasedAccess(options)).toBe(
      'local all panel peer map=panel\n' +
        'host all all 127.0.0.1/32 scram-sha-256\n' +
        'host all panel all reject\n' +
        'host all all 172.30.0.0/20 scram-sha-256\n' +
        'host all all 172.31.0.0/16 scram-sha-256\n' +
        'host all all samehost scram-sha-256\n'
    )
    expect(renderIdentMap(options)).toBe('panel root panel\n')
  })

  test('a path with a quote is quoted', () => {
    expect(renderPostgresqlConfig({ ...options, dataDirectory: "/it's/data" })).toContain("'/it''s/data'\n")
  })

  test.each<[string, Partial<PostgresqlConfigOptions>]>([
    ['a line end', { dataDirectory: '/data\nfsync = off' }],
    ['a backslash', { runtimeDirectory: '/data\\' }],
    ['no subnet', { containerSubnets: ['172.30.0.0/20', 'all'] }],
    ['two words', { admin: 'all all' }],
    ['a pattern', { systemUser: '/^.*$' }]
  ])('%s is refused', (_, change) => {
    const changed = { ...options, ...change }
    const renderAll = () => [renderPostgresqlConfig(changed), renderHostBasedAccess(changed), renderIdentMap(changed)]
    expect(renderAll).toThrow(TypeError)
  })
})

describe('MariaDB', () => {
  const directory = '/var/lib/panel-0123456789ab/mysql'
  const options: MariadbConfigOptions = {
    dataDirectory: `${directory}/data`,
    runtimeDirectory: `${directory}/run`,
    temporaryDirectory: `${directory}/tmp`,
    fileDirectory: `${directory}/files`,
    listen: ['127.0.0.1', '172.30.0.1'],
    port: 3306
  }

  test('the file', async () => {
    await expect(renderMariadbConfig(options)).toMatchFileSnapshot('./mariadb.golden.cnf')
  })

  test.each<[string, Partial<MariadbConfigOptions>]>([
    ['a line end', { dataDirectory: '/data\nlocal-infile=1' }],
    ['a space', { fileDirectory: '/some data' }],
    ['another address', { listen: ['*'] }]
  ])('%s is refused', (_, change) => {
    expect(() => renderMariadbConfig({ ...options, ...change })).toThrow(TypeError)
  })
})
