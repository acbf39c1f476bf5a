import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { PanelConnections } from '../net/connection-limits.policy.ts'
import { proxySource } from '../security/proxy-proof.ts'
import { limitKey } from './client-ip.ts'

/**
 * Closes connections above the limits as they come, before a byte of them is read. Without limits they would take every file that this
 * process may open, and then no program could be started and no connection of ours be made. `isProxy` names proxies before the panel, which
 * bring the connections of many clients.
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
    const address = socket.remoteAddress // Undefined of a client that has gone already.
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
