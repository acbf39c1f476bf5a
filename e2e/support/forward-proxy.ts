import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ForwardProxy {
  url: string
  close(): Promise<void>
}

/** An HTTP proxy for apt in a network namespace that reaches nothing else. */
export async function startForwardProxy(host: string): Promise<ForwardProxy> {
  const server = createServer((incoming, outgoing) => {
    const { method, headers, url } = incoming
    const onward = request(url!, { method, headers, timeout: 60_000 }, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(outgoing)
    })
    onward.on('error', () => outgoing.writeHead(502).end())
    incoming.pipe(onward)
  })
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  }
}
