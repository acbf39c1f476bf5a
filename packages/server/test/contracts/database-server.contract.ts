import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DatabaseAccount, type DatabaseServer } from '../../src/infra/database-server/database-server.ts'

export interface DatabaseServerEnvironment {
  server: DatabaseServer
  /** Creates a table in the account's database. */
  fill: (account: DatabaseAccount) => Promise<void>
  /** A database created by someone else. */
  createForeign: (database: string, how: { isEmpty: boolean }) => Promise<void>
  stateOf: (database: string) => Promise<'absent' | 'empty' | 'filled'>
  /** Runs the work while the engine hangs. */
  whileHanging: (work: () => Promise<void>) => Promise<void>
  close: () => Promise<void>
}

export const accountOf = (
  database: string,
  username = `u_${database.toLowerCase()}`.slice(0, 32)
): DatabaseAccount => ({
  database,
  username,
  password: `p-${database}`
})

/** Contract of the fake and the real servers. */
export function describeDatabaseServer(name: string, make: () => Promise<DatabaseServerEnvironment>): void {
  describe(`database server: ${name}`, () => {
    let environment: DatabaseServerEnvironment
    let server: DatabaseServer
    beforeAll(async () => {
      environment = await make()
      server = environment.server
    })
    afterAll(() => environment?.close())

    const refused = (account: DatabaseAccount) =>
      expect(server.test(account)).rejects.toMatchObject({ kind: 'database-refused' })

    test('returns its type and address', async () => {
      expect(await server.ping()).toMatch(/^[A-Z]\w+ \d/)
      const { internal, host } = await server.addresses(async () => '172.31.0.33')
      expect(host).toEqual({ host: 'localhost', port: internal.port })
    })

    test('a provisioned account can log in with its own password only', async () => {
      const account = accountOf('shop')
      await refused(account)
      await server.provision(account)
      const { latencyMs, serverVersion } = await server.test(account)
      expect(latencyMs).toBeGreaterThanOrEqual(0)
      expect(serverVersion).toBe(await server.ping())
      await refused({ ...account, password: 'another' })
      await refused({ ...account, database: 'shop2' })
    })

    test('provisioning again keeps data and sets the new password', async () => {
      const account = accountOf('again')
      await server.provision(account)
      await environment.fill(account)
      await server.provision({ ...account, password: 'newer' })
      await server.test({ ...account, password: 'newer' })
      await refused(account)
      expect(await environment.stateOf('again')).toBe('filled')
    })

    test.each(["it's", 'a"b', 'a`b', 'back\\slash', "\\'; drop", '$1 ? :x %s', 'ünïcode', ' spaces '])(
      'a password may be %j',
      async (password) => {
        const account = { ...accountOf('secrets'), password }
        await server.provision(account)
        await server.test(account)
        await server.setPassword({ username: account.username, password: `${password}2` })
        await refused(account)
        await server.test({ ...account, password: `${password}2` })
      }
    )

    test('longest names, names differing by case and reserved words', async () => {
      const accounts = [
        accountOf('d'.repeat(63), 'u'.repeat(server.maxUsernameLength)),
        accountOf('Mixed'),
        accountOf('mixed', 'u_other'),
        accountOf('select', 'table'),
        accountOf('1', '2')
      ]
      for (const account of accounts) await server.provision(account)
      for (const account of accounts) await server.test(account)
      for (const account of accounts) await server.drop(account)
      for (const account of accounts) expect(await environment.stateOf(account.database)).toBe('absent')
    })

    test('several at once', async () => {
      const accounts = ['one', 'two', 'three', 'four', 'five'].map((name) => accountOf(name))
      await Promise.all(accounts.map((account) => server.provision(account)))
      await Promise.all(accounts.map((account) => server.test(account)))
      await Promise.all(accounts.map((account) => server.drop(account)))
      expect(await server.sizes(accounts.map(({ database }) => database))).toEqual(new Map())
    })

    test.each([true, false])('a foreign database is refused and kept (empty: %s)', async (isEmpty) => {
      const account = accountOf(isEmpty ? 'foreign_empty' : 'foreign_used')
      await environment.createForeign(account.database, { isEmpty })
      const before = await environment.stateOf(account.database)
      await expect(server.provision(account)).rejects.toMatchObject({ kind: 'database-name-exists' })
      await refused(account)
      await server.drop(account, { onlyIfEmpty: true })
      await server.drop(account)
      expect(await environment.stateOf(account.database)).toBe(before)
    })

    test('dropping removes exactly the database; repeating is allowed', async () => {
      const account = accountOf('a_b')
      const other = accountOf('axb')
      for (const one of [account, other]) await server.provision(one)
      for (const one of [account, other]) await environment.fill(one)
      for (let times = 0; times < 2; times++) await server.drop(account)
      await refused(account)
      expect(await environment.stateOf('a_b')).toBe('absent')
      expect(await environment.stateOf('axb')).toBe('filled')
      await server.test(other)
      await server.provision(account)
      expect(await environment.stateOf('a_b')).toBe('empty')
    })

    test('undo removes an empty database and keeps a used one with its account', async () => {
      const [unused, used] = [accountOf('unused'), accountOf('used')]
      for (const one of [unused, used]) await server.provision(one)
      await environment.fill(used)
      for (const one of [unused, used]) await server.drop(one, { onlyIfEmpty: true })
      expect(await environment.stateOf('unused')).toBe('absent')
      await refused(unused)
      expect(await environment.stateOf('used')).toBe('filled')
      await server.test(used)
      await server.drop(accountOf('never_made'), { onlyIfEmpty: true })
    })

    test('returns sizes of the requested databases', async () => {
      for (const database of ['big', 'small']) await server.provision(accountOf(database))
      await environment.fill(accountOf('big'))
      const sizes = await server.sizes(['big', 'nobody', "o'clock"])
      expect([...sizes.keys()]).toEqual(['big'])
      expect(sizes.get('big')).toBeGreaterThan(0)
      expect(await server.sizes([])).toEqual(new Map())
    })

    test('every operation fails in bounded time while the engine hangs', async () => {
      const account = accountOf('hanging')
      await server.provision(account)
      await environment.whileHanging(async () => {
        const operations = [
          server.ping(),
          server.provision(account),
          server.setPassword(account),
          server.drop(account),
          server.test(account),
          server.sizes(['hanging'])
        ]
        for (const result of await Promise.allSettled(operations))
          expect(result).toMatchObject({ status: 'rejected', reason: { kind: 'database-server-unavailable' } })
      })
    })
  })
}
