import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'

interface StoreProxy {
  url: string
  /** Drops the connection at the next response with this text; resolves then. */
  cutAtAnswer(text: string): Promise<void>
  close(): Promise<void>
}

/** A proxy to the database whose connections tests can cut. */
export async function openStoreProxy(url: string): Promise<StoreProxy> {
  const { host, port } = new pg.Client({ connectionString: url })
  const directory = await mkdtemp(join(tmpdir(), 'store-proxy-'))
  const sockets = new Set<Socket>()
  let cut: { text: string; done: () => void } | undefined
  const server = createServer((client) => {
    const store = connect(host.startsWith('/') ? { path: join(host, `.s.PGSQL.${port}`) } : { host, port })
    for (const [socket, other] of [
      [client, store],
      [store, client]
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => {}).on('close', () => other.destroy())
    }
    client.pipe(store)
    store.on('data', (answer: Buffer) => {
      if (!cut || !answer.includes(cut.text)) return void client.write(answer)
      client.destroy()
      cut.done()
      cut = undefined
    })
  })
  await once(server.listen(join(directory, `.s.PGSQL.${port}`)), 'listening')
  const through = new URL(url)
  through.searchParams.set('host', directory)
  return {
    url: through.href,
    cutAtAnswer: (text) => new Promise((done) => (cut = { text, done })),
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await rm(directory, { recursive: true })
    }
  }
}
