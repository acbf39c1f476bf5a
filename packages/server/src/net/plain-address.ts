import { BlockList, isIPv6 } from 'node:net'

/** Without zone, and IPv4 in its own form: a dual-stack socket reports it as `::ffff:192.0.2.1`. */
export const plainAddress = (text: string): string => text.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

export const isLoopback = (address: string): boolean => loopback.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
