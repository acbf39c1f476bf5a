import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { describeDatabaseServer } from '../../../test/contracts/database-server.contract.ts'
import type { DatabaseServer } from './database-server.ts'
import type { DatabaseServerOptions } from './database-server-options.ts'
import type { AdapterError } from '../adapter-error.ts'
import { addressesOf } from './engine-address.ts'
import { unavailable } from './engine-problem.ts'
import { createMemoryDatabaseServer } from '../../../test/fakes/memory-database-server.ts'
import { createMysqlServer } from './mysql.ts'
import { grantPattern, quoteName } from './mysql-names.ts'
import { createPostgresqlServer } from './postgresql.ts'
import { findPostgresqlPrograms } from '../../programs/postgresql.ts'
import { scramVerifier } from './scram-verifier.ts'

describeDatabaseServer('memory', async () => {
  const server = createMemoryDatabaseServer()
  const foreign = (isEmpty: boolean) => ({ owner: 'somebody', bytes: isEmpty ? 0 : 10 })
  return {
    server,
    fill: async ({ database }) => void (server.databases.get(database)!.bytes = 10),
    createForeign: async (database, { isEmpty }) => void server.databases.set(database, foreign(isEmpty)),
    async stateOf(database) {
      const bytes = server.databases.get(database)?.bytes
      return bytes === undefined ? 'absent' : bytes === 0 ? 'empty' : 'filled'
    },
    async whileHanging(work) {
      const { before } = server
      server.before = () => Promise.reject(unavailable('memory', new Error('it hangs')))
      await work()
      server.before = before
    },
    close: async () => {}
  }
})

describe.each<[string, string, (options: DatabaseServerOptions) => DatabaseServer]>([
  ['PostgreSQL', 'postgresql://admin:secret@127.0.0.1:PORT/postgres', createPostgresqlServer],
  ['MySQL', 'mysql://admin:secret@127.0.0.1:PORT/', createMysqlServer]
])('%s, where something else listens', (name, url, create) => {
  let listener: Server
  let sockets: Socket[]
  let server: DatabaseServer
  let onConnection: (socket: Socket) => void
  beforeEach(async () => {
    sockets = []
    listener = createServer((socket) => {
      sockets.push(socket)
      socket.on('error', () => {})
      onConnection(socket)
    })
    await once(listener.listen(0, '127.0.0.1'), 'listening')
    const { port } = listener.address() as { port: number }
    const adminUrl = url.replace('PORT', String(port))
    const limits = { queryTimeoutMs: 200, changeTimeoutMs: 200 }
    server = create({ adminUrl, internalHost: async () => '192.0.2.1', ...limits })
  })
  afterEach(() => {
    for (const socket of sockets) socket.destroy()
    listener.close()
  })
  const account = { database: 'shop', username: 'u_shop', password: 'secret' }

  test.each<[string, (socket: Socket) => void, string | RegExp]>([
    ['silence', () => {}, 'no answer within 0.2 seconds'],
    ['an end at once', (socket) => void socket.end(), /./],
    ['words', (socket) => void socket.end('SSH-2.0-OpenSSH_9.2\r\n'.repeat(20)), /./]
  ])('%s rejects each operation with the reason and leaves no connection', async (_, behave, reason) => {
    onConnection = behave
    for (const operation of [() => server.ping(), () => server.provision(account), () => server.test(account)]) {
      const error = await operation().catch((thrown: unknown) => thrown)
      expect(error).toMatchObject({ kind: 'database-server-unavailable' })
      expect((error as Error).message).toMatch(`The ${name} server is unavailable. Try again later: `)
      expect((error as Error).message).toMatch(reason)
      expect((error as Error).message).not.toContain('secret')
      expect((error as AdapterError).sentence).toBe(`The ${name} server is unavailable. Try again later.`)
    }
    await Promise.all(sockets.map((socket) => socket.closed || once(socket.resume(), 'close')))
  })

  test('nothing is listening', async () => {
    await new Promise((resolve) => listener.close(resolve))
    await expect(server.ping()).rejects.toThrow(/ECONNREFUSED/)
  })
})

test.each([
  ['postgresql://a:b@127.0.0.1/postgres', 'localhost', 5432],
  ['postgresql://a:b@[::1]:6000/postgres', 'localhost', 6000],
  ['postgresql://a:b@db.example.net:6000/postgres', 'db.example.net', 6000],
  ['postgresql://a:b@[2001:db8::1]/postgres', '2001:db8::1', 5432]
])('%s is reached at %s port %i', (url, host, port) => {
  expect(addressesOf(url, 5432).host).toEqual({ host, port })
})

test('data of a PostgreSQL version that is not installed is reported with a remedy', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'cluster-'))
  await mkdir(join(directory, 'data'))
  await writeFile(join(directory, 'data', 'PG_VERSION'), '9\n')
  await expect(findPostgresqlPrograms(directory)).rejects.toThrow(/need PostgreSQL 9 .*apt-get install postgresql-9,/)
  await rm(directory, { recursive: true })
})

test('names are quoted and escaped in grant patterns', () => {
  expect(quoteName('a`b')).toBe('`a``b`')
  expect(grantPattern('a_b%c\\d')).toBe('a\\_b\\%c\\\\d')
})

test('scramVerifier matches the example of RFC 7677', async () => {
  // The RFC's example: user "user", password "pencil". The server signature proves the keys.
  const verifier = await scramVerifier('pencil', Buffer.from('W22ZaJ0SNY7soEsUEjb6gQ==', 'base64'))
  expect(verifier).toBe(
    'SCRAM-SHA-256$4096:W22ZaJ0SNY7soEsUEjb6gQ==$WG5d8oPm3OtcPnkdi4Uo7BkeZkBFzpcXkuLmtbsT4qY=:wfPLwcE6nTWhTAmQ7tl2KeoiWGPlZqQxSrmfPwDl2dU='
  )
})
