import { AdapterError } from '../../src/infra/adapter-error.ts'
import { type DatabaseAccount, type DatabaseServer } from '../../src/infra/database-server/database-server.ts'

export interface MemoryDatabaseServer extends DatabaseServer {
  /** By database name. */
  readonly databases: Map<string, { owner: string; bytes: number }>
  readonly accounts: Map<string, string>
  /** Accounts created without current limits. */
  readonly unlimited: Set<string>
  /** Called before each operation; tests make it fail or wait. */
  before: (operation: keyof DatabaseServer, account?: Partial<DatabaseAccount>) => Promise<void>
}

export function createMemoryDatabaseServer(
  options: { port?: number; maxUsernameLength?: number } = {}
): MemoryDatabaseServer {
  const { port = 5432, maxUsernameLength = 63 } = options
  const databases: MemoryDatabaseServer['databases'] = new Map()
  const accounts: MemoryDatabaseServer['accounts'] = new Map()
  const unlimited: MemoryDatabaseServer['unlimited'] = new Set()
  const server: MemoryDatabaseServer = {
    databases,
    accounts,
    unlimited,
    maxUsernameLength,
    before: async () => {},
    async ping() {
      await server.before('ping')
      return 'Memory 1'
    },
    addresses: async () => ({ internal: { host: '172.30.0.1', port }, host: { host: 'localhost', port } }),
    async provision({ database, username, password }) {
      await server.before('provision', { database, username, password })
      const found = databases.get(database)
      if (found && found.owner !== username)
        throw new AdapterError('database-name-exists', 'The database server has a database of that name')
      accounts.set(username, password)
      if (!found) databases.set(database, { owner: username, bytes: 0 })
    },
    async setPassword({ username, password }) {
      await server.before('setPassword', { username, password })
      accounts.set(username, password)
    },
    async limitAccounts(usernames) {
      await server.before('limitAccounts')
      for (const username of usernames) unlimited.delete(username)
    },
    async drop({ database, username }, { onlyIfEmpty = false } = {}) {
      await server.before('drop', { database, username })
      const found = databases.get(database)
      if (found?.owner === username) {
        if (onlyIfEmpty && found.bytes > 0) return
        databases.delete(database)
      }
      accounts.delete(username)
    },
    async test({ database, username, password }) {
      await server.before('test', { database, username, password })
      if (accounts.get(username) !== password || databases.get(database)?.owner !== username)
        throw new AdapterError('database-refused', 'access denied')
      return { latencyMs: 1, serverVersion: 'Memory 1' }
    },
    async sizes(names) {
      await server.before('sizes')
      return new Map(
        names.flatMap((name) => (databases.has(name) ? [[name, databases.get(name)!.bytes] as const] : []))
      )
    },
    async countConnections() {
      await server.before('countConnections')
      return databases.size
    }
  }
  return server
}
