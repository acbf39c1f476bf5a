import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type App, buildApp } from '../app.ts'
import { dashboardDirectory } from '../http/dashboard.ts'
import type { Dependencies } from '../dependencies.ts'

export interface Web {
  address: AddressInfo
  /** Moves the listener to another address on the same port; open connections stay. */
  listenOn(host: string): Promise<void>
  close(): Promise<void>
}

/** Grace period for requests in progress; some wait for a deployment. */
const requestLimitMs = 5_000

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
  server.close() // Frees the port at once; connections stay until they end.
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
