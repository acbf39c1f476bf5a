import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { PanelConnections } from '../net/connection-limits.policy.ts'
import { proxySource } from '../security/proxy-proof.ts'
import { limitKey } from './client-ip.ts'

/**
 * Closes connections above the limits before reading a byte, so that the process never runs out of file descriptors.
 * Connections of known proxies (`isProxy`) carry many clients and are not limited per address.
 */
export function limitConnections(
  server: Server,
  limits: PanelConnections,
  isProxy: (address: string) => boolean = () => false
): void {
  const counts = new Map<string, number>()
  let strangers = 0
  const mayStay = (address: string, key: string) => {
    const mine = counts.get(key) ?? 0
    if (key === proxySource) return mine < limits.proxy + limits.live
    return strangers < limits.strangers && (isProxy(address) || mine < limits.perAddress)
  }
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress
    const key = limitKey(address ?? '')
    if (address === undefined || !mayStay(address, key)) {
      socket.destroy()
      return
    }
    const isStranger = key !== proxySource
    counts.set(key, (counts.get(key) ?? 0) + 1)
    if (isStranger) strangers++
    socket.once('close', () => {
      if (isStranger) strangers--
      const left = counts.get(key)! - 1
      if (left === 0) counts.delete(key)
      else counts.set(key, left)
    })
  })
}
