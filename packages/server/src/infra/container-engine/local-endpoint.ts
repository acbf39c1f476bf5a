import { request } from 'node:http'
import { connect, createServer } from 'node:net'
import type { ContainerEngine } from './container-engine.ts'

export const isPortFree: ContainerEngine['isPortFree'] = (port) =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen({ host: '127.0.0.1', port, exclusive: true }, () => server.close(() => resolve(true)))
  })

export const acceptsConnections: ContainerEngine['acceptsConnections'] = (endpoint, { timeoutMs, signal }) =>
  new Promise((resolve) => {
    const socket = connect({
      host: endpoint.address,
      port: endpoint.port,
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
    })
    socket.once('connect', () => {
      // Not reset, which applications log as an error.
      socket.resume().end()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })

export const httpStatus: ContainerEngine['httpStatus'] = ({ address, port }, { path, hostname, timeoutMs, signal }) =>
  new Promise((resolve) => {
    const probe = request(
      {
        host: address,
        port,
        method: 'GET',
        path,
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
        agent: false,
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

export const readPage: ContainerEngine['readPage'] = ({ address, port }, options) =>
  new Promise((resolve) => {
    const { path, hostname, headers, timeoutMs, maxBytes, signal } = options
    const probe = request(
      {
        host: address,
        port,
        method: 'GET',
        path,
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
        agent: false,
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
