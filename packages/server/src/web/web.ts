import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type App, buildApp } from '../app.ts'
import { dashboardDirectory } from '../http/dashboard.ts'
import type { Dependencies } from '../dependencies.ts'

/** What listens to the Internet. */
export interface Web {
  address: AddressInfo
  /** Listens on another address, at the same port; connections that are open stay so. */
  listenOn(host: string): Promise<void>
  /** Takes no new requests, and ends when those in hand have had their time. */
  close(): Promise<void>
}

/** How long requests in hand may go on: one may wait for a deployment. */
const requestLimitMs = 5_000

/** Serves the API from this process. */
export async function startWeb(deps: Dependencies, host: string): Promise<Web> {
  const app = await buildApp(deps, { dashboard: dashboardDirectory })
  try {
    await app.listen({ host, port: deps.config.PORT })
  } catch (error) {
    await app.close()
    throw error
  }
  return {
    address: app.server.address() as AddressInfo,
    listenOn: (other) => moveListener(app, other),
    close: () => closeApp(app)
  }
}

async function moveListener({ server }: App, host: string): Promise<void> {
  const { address, port } = server.address() as AddressInfo
  const listen = async (on: string) => {
    server.listen({ host: on, port })
    await once(server, 'listening')
  }
  server.close() // Lets go of the port at once, and of connections when they end.
  await listen(host).catch(async (error: unknown) => {
    await listen(address)
    throw error
  })
}

async function closeApp(app: App): Promise<void> {
  const timer = setTimeout(() => app.server.closeAllConnections(), requestLimitMs)
  try {
    await app.close()
  } finally {
    clearTimeout(timer)
  }
}
