import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ManagerOptions, io, type Socket, type SocketOptions } from 'socket.io-client'
import { expect } from 'vitest'
import type { TestPanel } from './panel.ts'

export interface LiveTestClient {
  socket: Socket
  /** Received events in order. */
  heard: { event: string; data: unknown }[]
  of(event: string): unknown[]
  /** Acknowledgement of `subscribe:<name>` and similar. */
  ask(
    event: string,
    ...args: unknown[]
  ): Promise<{ ok: boolean; id?: string; error?: { code: string; message: string } }>
}

export interface LiveTestClients {
  make(headers?: Record<string, string>, options?: Partial<ManagerOptions & SocketOptions>): LiveTestClient
  /** Resolves when connected; rejects with the refusal. */
  connect(headers?: Record<string, string>, options?: Partial<ManagerOptions & SocketOptions>): Promise<LiveTestClient>
  close(): void
}

/** Real Socket.IO clients of a listening application. */
export function liveTestClients(url: () => string): LiveTestClients {
  const opened: Socket[] = []
  const make: LiveTestClients['make'] = (headers = {}, options = {}) => {
    const socket = io(url(), {
      autoConnect: false,
      forceNew: true,
      reconnection: false,
      transports: ['websocket'],
      extraHeaders: headers,
      ...options
    })
    opened.push(socket)
    const heard: LiveTestClient['heard'] = []
    socket.onAny((event: string, ...args: unknown[]) => {
      heard.push({ event, data: args[0] })
      const acknowledge = args.at(-1)
      if (typeof acknowledge === 'function') (acknowledge as () => void)()
    })
    return {
      socket,
      heard,
      of: (event) => heard.filter((each) => each.event === event).map(({ data }) => data),
      ask: (event, ...args) => socket.timeout(10_000).emitWithAck(event, ...args) as ReturnType<LiveTestClient['ask']>
    }
  }
  return {
    make,
    async connect(headers, options) {
      const client = make(headers, options)
      await new Promise<void>((resolve, reject) => {
        client.socket.once('connect', resolve)
        client.socket.once('connect_error', reject)
        client.socket.connect()
      })
      return client
    },
    close() {
      for (const socket of opened.splice(0)) socket.disconnect()
    }
  }
}

export async function listen({ app, deps }: Pick<TestPanel, 'app' | 'deps'>): Promise<string> {
  await app.listen({ host: '127.0.0.1', port: 0 })
  await untilHeard(deps)
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
}

/** What is published before the panel listens to the store reaches no client. */
async function untilHeard({ db, events }: TestPanel['deps']): Promise<void> {
  let isHeard = false
  const unsubscribe = events.subscribe({ onEvent: () => (isHeard = true) })
  while (!isHeard) {
    await db.transaction((trx) =>
      events.publish(trx, { to: 'processes', name: 'access:changed', data: { userId: 'unknown' } })
    )
    await sleep(20)
  }
  unsubscribe()
}

export async function refusal(
  connecting: Promise<unknown>
): Promise<{ code?: string; status?: number; message: string }> {
  const error = await connecting.then(
    () => undefined,
    (reason: unknown) =>
      reason as Error & { data?: { code: string }; context?: { status?: number; statusCode?: number } }
  )
  expect(error, 'it was let in').toBeDefined()
  const status = error!.context?.status ?? error!.context?.statusCode
  return {
    message: error!.message,
    ...(error!.data ? { code: error!.data.code } : {}),
    ...(status === undefined ? {} : { status })
  }
}
