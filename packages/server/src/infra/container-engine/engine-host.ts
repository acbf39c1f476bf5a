import { readFile } from 'node:fs/promises'
import type { RequestOptions } from 'node:http'
import { connect, createServer, isIPv4 } from 'node:net'
import { networkInterfaces } from 'node:os'
import { signalWithin } from '../../concurrency/time-limit.ts'
import { lazy } from '../../concurrency/lazy.ts'
import { AdapterError } from '../adapter-error.ts'
import type { NodeConnection, RunThere } from '../node-connection/node-connection.ts'
import { ProcessError } from '../process/process.ts'
import { run as runHere } from '../process/run.ts'
import type { Endpoint } from './container-engine.ts'
import { parseListening } from './docker-listening.ts'

/** What the adapter needs of the engine's machine beside the engine's socket. */
export interface EngineHost {
  readFile(path: string): Promise<string>
  /** Runs a program, of which nothing is left after its time limit. */
  run: RunThere
  /** CIDRs that the routes do not show. */
  interfaceSubnets(): readonly string[]
  isPortFree(port: number): Promise<boolean>
  /** IPv4 address on which containers publish their port. */
  publishAddress(): Promise<string>
  acceptsConnections(endpoint: Endpoint, options: { timeoutMs: number; signal: AbortSignal }): Promise<boolean>
  /** Options of a request that has a connection of its own from that machine. */
  requestOptions(endpoint: Endpoint): Pick<RequestOptions, 'agent' | 'createConnection'>
}

export const localHost: EngineHost = {
  readFile: (path) => readFile(path, 'utf8'),
  run: runHere,
  interfaceSubnets: () =>
    Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ cidr }) => cidr ?? '')),
  isPortFree: (port) =>
    new Promise((resolve) => {
      const server = createServer()
      server.once('error', () => resolve(false))
      server.listen({ host: '127.0.0.1', port, exclusive: true }, () => server.close(() => resolve(true)))
    }),
  publishAddress: async () => '127.0.0.1',
  acceptsConnections: (endpoint, { timeoutMs, signal }) =>
    new Promise((resolve) => {
      const socket = connect({
        host: endpoint.address,
        port: endpoint.port,
        signal: signalWithin(timeoutMs, signal)
      })
      socket.once('connect', () => {
        // Not reset, which applications log as an error.
        socket.resume().end()
        resolve(true)
      })
      socket.on('error', () => resolve(false))
    }),
  requestOptions: () => ({ agent: false })
}

/** Of a machine behind a connection, which publishes ports at `publishAddress`. Default: the address of the connection there. */
export function remoteHost(
  { run, readFile: read, connect: dial }: NodeConnection,
  publishAddress?: string
): EngineHost {
  return {
    readFile: read,
    // The local limit ends only our side of the connection.
    run: ([file, ...args], options) =>
      run(['timeout', '--kill-after=1', String(options.timeoutMs / 1000), file, ...args], options),
    interfaceSubnets: () => [],
    async isPortFree(port) {
      const listening = parseListening((await Promise.all([read('/proc/net/tcp'), read('/proc/net/tcp6')])).join(''))
      return !listening.some((each) => each.port === port)
    },
    publishAddress: lazy(async () => {
      if (publishAddress !== undefined) return publishAddress
      const { stdout } = await run(['sh', '-c', 'echo "$SSH_CONNECTION"'], { timeoutMs: 10_000 })
      const address = stdout.split(' ')[2] ?? ''
      if (isIPv4(address)) return address
      throw new AdapterError('node-unavailable', 'The machine is not reached over IPv4')
    }),
    acceptsConnections: async ({ address, port }, { timeoutMs, signal }) => {
      try {
        // Bash opens a TCP connection for this path.
        await run(['bash', '-c', 'exec 3<>"/dev/tcp/$1/$2"', 'bash', address, String(port)], { timeoutMs, signal })
        return true
      } catch (error) {
        if (error instanceof ProcessError) return false
        throw error
      }
    },
    requestOptions: ({ address, port }) => ({ createConnection: () => dial(address, port) })
  }
}
