import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { isIPv6 } from 'node:net'
import type { SocketAddress } from './knot-values.ts'

export function respondsToQueries({ address, port }: SocketAddress, timeoutMs: number): Promise<boolean> {
  const query = Buffer.alloc(17)
  query.writeUInt16BE(randomInt(65_536), 0)
  query.writeUInt16BE(1, 4) // One question: root,
  query.writeUInt16BE(2, 13) // type NS,
  query.writeUInt16BE(1, 15) // class IN.
  return new Promise((resolve) => {
    const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4')
    const finish = (hasResponse: boolean) => {
      clearTimeout(timer)
      socket.close()
      resolve(hasResponse)
    }
    const timer = setTimeout(() => finish(false), timeoutMs)
    socket.once('error', () => finish(false)) // Nothing listens there.
    socket.on('message', (answer) => {
      if (answer.length >= 12 && answer.readUInt16BE(0) === query.readUInt16BE(0)) finish(true)
    })
    socket.connect(port, reachable(address), () => socket.send(query))
  })
}

/** Address at which this machine reaches a server that listens on a wildcard address. */
export function reachable(address: string): string {
  if (address === '0.0.0.0') return '127.0.0.1'
  return address === '::' ? '::1' : address
}
