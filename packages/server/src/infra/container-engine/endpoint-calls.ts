import { request } from 'node:http'
import { signalWithin } from '../../concurrency/time-limit.ts'
import type { ContainerEngine, Endpoint } from './container-engine.ts'
import type { EngineHost } from './engine-host.ts'
import type { HttpProbe, PageRequest } from './engine-requests.ts'

/** Requests to endpoints of the engine's machine. */
export function createEndpointCalls(
  host: EngineHost
): Pick<ContainerEngine, 'acceptsConnections' | 'httpStatus' | 'isPortFree' | 'readPage'> {
  return {
    isPortFree: host.isPortFree,
    acceptsConnections: host.acceptsConnections,
    httpStatus: (endpoint, options) => httpStatus(host, endpoint, options),
    readPage: (endpoint, options) => readPage(host, endpoint, options)
  }
}

const httpStatus = (
  host: EngineHost,
  { address, port }: Endpoint,
  { path, hostname, timeoutMs, signal }: HttpProbe
): ReturnType<ContainerEngine['httpStatus']> =>
  new Promise((resolve) => {
    const probe = request(
      {
        host: address,
        port,
        method: 'GET',
        path,
        signal: signalWithin(timeoutMs, signal),
        ...host.requestOptions({ address, port }),
        // As from the proxy, so that applications that insist on HTTPS do not redirect.
        headers: { Host: hostname, 'X-Forwarded-Proto': 'https', 'User-Agent': 'panel-readiness', Connection: 'close' }
      },
      (response) => {
        response.destroy()
        resolve(response.statusCode)
      }
    )
    probe.on('error', () => resolve(undefined))
    // On a protocol switch there is no response and no error event.
    probe.on('close', () => resolve(undefined))
    probe.end()
  })

const readPage = (
  host: EngineHost,
  { address, port }: Endpoint,
  options: PageRequest
): ReturnType<ContainerEngine['readPage']> =>
  new Promise((resolve) => {
    const { path, hostname, headers, timeoutMs, maxBytes, signal } = options
    const probe = request(
      {
        host: address,
        port,
        method: 'GET',
        path,
        signal: signalWithin(timeoutMs, signal),
        ...host.requestOptions({ address, port }),
        headers: { ...headers, Host: hostname, 'X-Forwarded-Proto': 'https', 'User-Agent': 'panel-check', Connection: 'close' } // oxfmt-ignore
      },
      (response) => {
        let body = ''
        const end = () => {
          resolve({ status: response.statusCode ?? 0, body: body.slice(0, maxBytes) })
          probe.destroy()
        }
        response.setEncoding('latin1')
        response.on('data', (chunk: string) => {
          body += chunk
          if (body.length >= maxBytes) end()
        })
        response.on('end', end)
        response.on('error', () => resolve(undefined))
      }
    )
    probe.on('error', () => resolve(undefined))
    probe.on('close', () => resolve(undefined))
    probe.end()
  })
