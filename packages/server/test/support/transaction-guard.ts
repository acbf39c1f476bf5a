import { AsyncLocalStorage } from 'node:async_hooks'
import type { Database } from '../../src/db/database.ts'
import type { Dependencies } from '../../src/dependencies.ts'

/** Adapters that must not be called within a transaction, which would hold row locks meanwhile. */
const adapters = [
  'sessions',
  'authLimiter',
  'discoveryLimiter',
  'mailer',
  'mailServer',
  'mailCertificates',
  'mailQueue',
  'deliveryLog',
  'mailFilter',
  'mailSigner',
  'mailboxCopier',
  'engine',
  'proxy',
  'dnsServer',
  'publicDns',
  'updateFeed',
  'panelUpgrades',
  'nameServers',
  'acme',
  'siteDatabase',
  'backupRepository',
  'databaseAdmin',
  'databaseDump',
  'webmail',
  'fileStore',
  'hostHelper',
  'nodes',
  'serverBans',
  'serverFirewall',
  'sftpServer',
  'git',
  'builder'
] as const satisfies readonly (keyof Dependencies)[]

type Parts = Partial<Dependencies>

// One for all panels: each storage that ran stays enabled and is walked on every asynchronous operation of the process.
const running = new AsyncLocalStorage<{ isOpen: boolean }>()

export interface TransactionGuard {
  cover<P extends Parts>(parts: P): P
  /** Rejected adapter calls, such as `engine.listContainers`. */
  calls: readonly string[]
}

/** Rejects adapter calls while a database transaction of the process is open. */
export function createTransactionGuard(): TransactionGuard {
  const calls: string[] = []
  const refuseInTransaction = (name: string) => {
    if (!running.getStore()?.isOpen) return
    calls.push(name)
    throw new Error(`${name} was called in a transaction`)
  }
  const guard = <T extends object>(name: string, adapter: T): T =>
    new Proxy(adapter, {
      get(target, member, receiver) {
        const value: unknown = Reflect.get(target, member, receiver)
        if (typeof value !== 'function') return value
        return (...args: unknown[]) => {
          refuseInTransaction(`${name}.${String(member)}`)
          return Reflect.apply(value, target, args) as unknown
        }
      }
    })
  const track = (db: Database) => {
    const transaction = db.transaction.bind(db)
    const tracked: Database['transaction'] = (work, options) =>
      transaction((trx) => {
        const state = { isOpen: true }
        return running.run(state, () => work(trx).finally(() => (state.isOpen = false)))
      }, options)
    Object.assign(db, { transaction: tracked })
  }
  return {
    calls,
    cover(parts) {
      if (parts.db) track(parts.db)
      const guarded: Parts = Object.fromEntries(
        adapters.flatMap((name) => (parts[name] === undefined ? [] : [[name, guard(name, parts[name])]]))
      )
      if (parts.databaseServers) {
        const { POSTGRESQL, MYSQL } = parts.databaseServers
        guarded.databaseServers = {
          POSTGRESQL: guard('databaseServers.POSTGRESQL', POSTGRESQL),
          MYSQL: guard('databaseServers.MYSQL', MYSQL)
        }
      }
      return { ...parts, ...guarded }
    }
  }
}
