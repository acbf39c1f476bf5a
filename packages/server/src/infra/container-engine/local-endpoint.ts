import { request } from 'node:http'
import { createServer } from 'node:net'
import type { ContainerEngine } from './container-engine.ts'

export const isPortFree: ContainerEngine['isPortFree'] = (port) =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen({ host: '127.0.0.1', port, exclusive: true }, () => server.close(() => resolve(true)))
  })

export const answersHttp: ContainerEngine['answersHttp'] = ({ address, port }, { timeoutMs, signal }) =>
  new Promise((resolve) => {
    const probe = request(
      {
        host: address,
        port,
        method: 'GET',
        path: '/',
        timeout: timeoutMs,
        signal,
        agent: false,
        headers: { 'User-Agent': 'panel-readiness', Connection: 'close' }
      },
      (response) => {
        response.destroy()
        resolve(true)
      }
    )
    probe.on('timeout', () => probe.destroy())
    probe.on('error', () => resolve(false))
    probe.end()
  })
