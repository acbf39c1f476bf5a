import type { Role } from '@panel/contract/users'
import type { Logger } from 'pino'
import { messageOf } from '../../text/message-of.ts'
import type { Credentials } from '../access.ts'

/** An open connection, which ends with the session or API token that opened it. */
export interface CredentialHolder {
  /** ID of the session or API token. */
  credentialId: string
  /** Current user and role; subscriptions read it too. */
  caller: { userId: string; role: Role }
  expiresAt: Date
  isEnded: boolean
  /** Call when the credential is no longer valid. */
  end(): void
  /** Reloads what the client subscribes to, after a change of the account. */
  recheck(): void
}

/** A connected client of the live channel. */
export interface LiveClient extends CredentialHolder {
  socketId: string
  /** Whether another event may be queued; disconnects a client that has not read any for long. */
  hasCapacity(): boolean
}

interface Options {
  credentials: Pick<Credentials, 'findOpen'>
  now: () => Date
  logger: Logger
}

/** Catches changes without an event: a session deleted in the database, a lost notification. */
const fullCheckMs = 60_000
const tickMs = 1_000

/**
 * All clients of this process, by account. Credentials are verified again when the account changes, and all of them
 * once a minute in one query.
 */
export function createLiveClients<Client extends CredentialHolder = LiveClient>({ credentials, now, logger }: Options) {
  const byAccount = new Map<string, Set<Client>>()
  const due = new Set<string>()
  let count = 0
  let isRunning = false
  let checkedAllAt = Date.now()

  const remove = (client: Client) => {
    const mine = byAccount.get(client.caller.userId)
    if (!mine?.delete(client)) return
    count--
    if (mine.size === 0) byAccount.delete(client.caller.userId)
  }
  const apply = (client: Client, open: Awaited<ReturnType<Credentials['findOpen']>>) => {
    const found = open.get(client.credentialId)
    if (!found) {
      client.isEnded = true
      remove(client)
      client.end()
      return
    }
    client.caller.role = found.role
    client.expiresAt = found.expiresAt
    client.recheck()
  }
  const check = async (userIds: readonly string[]) => {
    const clients = userIds.flatMap((userId) => [...(byAccount.get(userId) ?? [])])
    if (clients.length === 0) return
    const open = await credentials.findOpen([...new Set(clients.map(({ credentialId }) => credentialId))])
    for (const client of clients) apply(client, open)
  }
  const run = async () => {
    if (isRunning) return
    isRunning = true
    try {
      while (due.size > 0) {
        const userIds = [...due]
        due.clear()
        try {
          await check(userIds)
        } catch (error) {
          // Database unavailable: retry on the next tick.
          for (const userId of userIds) due.add(userId)
          logger.warn({ error: messageOf(error) }, 'clients of the live channel could not be checked')
          return
        }
      }
    } finally {
      isRunning = false
    }
  }
  const checkAll = () => {
    checkedAllAt = Date.now()
    for (const userId of byAccount.keys()) due.add(userId)
    void run()
  }
  const timer = setInterval(() => {
    const time = now()
    for (const [userId, clients] of byAccount)
      for (const { expiresAt } of clients) if (expiresAt <= time) due.add(userId)
    if (Date.now() - checkedAllAt >= fullCheckMs) checkAll()
    else if (due.size > 0) void run()
  }, tickMs).unref()

  return {
    of: (userId: string): ReadonlySet<Client> => byAccount.get(userId) ?? new Set(),
    admins: (): Client[] => [...byAccount.values()].flatMap((all) => [...all].filter(isAdmin)),
    count: () => count,
    add(client: Client): void {
      const mine = byAccount.get(client.caller.userId) ?? new Set()
      byAccount.set(client.caller.userId, mine.add(client))
      count++
    },
    remove,
    checkAccount(userId: string): void {
      due.add(userId)
      void run()
    },
    checkAll,
    close: () => clearInterval(timer)
  }
}

export type LiveClients = ReturnType<typeof createLiveClients<LiveClient>>

const isAdmin = ({ caller }: CredentialHolder): boolean => caller.role === 'ADMIN'
