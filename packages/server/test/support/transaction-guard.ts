import { AsyncLocalStorage } from 'node:async_hooks'
import type { Database } from '../../src/db/database.ts'
import type { Dependencies } from '../../src/dependencies.ts'

/** What lies outside the store: nothing waits for it while a transaction holds locks on rows. */
const adapters = [
  'sessions',
  'authLimiter',
  'mailer',
  'engine',
  'proxy',
  'dnsServer',
  'publicDns',
  'acme',
  'siteDatabase',
  'databaseAdmin',
  'fileStore',
  'hostHelper',
  'sftpServer',
  'git',
  'builder'
] as const satisfies readonly (keyof Dependencies)[]

export interface TransactionGuard {
  deps: Dependencies
  /** Calls of adapters that were made in a transaction: `engine.listContainers`. Each was refused. */
  calls: readonly string[]
}

/** Refuses every call of an adapter out of a transaction of the store that is open still. */
export function guardTransactions(deps: Dependencies): TransactionGuard {
  const running = new AsyncLocalStorage<{ isOpen: boolean }>()
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

  const transaction = deps.db.transaction.bind(deps.db)
  const tracked: Database['transaction'] = (work, options) =>
    transaction((trx) => {
      const state = { isOpen: true }
      return running.run(state, () => work(trx).finally(() => (state.isOpen = false)))
    }, options)
  Object.assign(deps.db, { transaction: tracked })

  const guarded = Object.fromEntries(
    adapters.flatMap((name) => (deps[name] === undefined ? [] : [[name, guard(name, deps[name])]]))
  )
  const { POSTGRESQL, MYSQL } = deps.databaseServers
  return {
    calls,
    deps: {
      ...deps,
      ...guarded,
      databaseServers: {
        POSTGRESQL: guard('databaseServers.POSTGRESQL', POSTGRESQL),
        MYSQL: guard('databaseServers.MYSQL', MYSQL)
      }
    }
  }
}
