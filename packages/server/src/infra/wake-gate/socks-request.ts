import type { Endpoint } from '../container-engine/container-engine.ts'

const longest = 512

/** A SOCKS4 CONNECT request; undefined while it is incomplete, 'invalid' if it will never be one. */
export function parseSocksRequest(bytes: Buffer): Endpoint | 'invalid' | undefined {
  const [version = 4, command = 1] = bytes
  if (version !== 4 || command !== 1 || bytes.length > longest) return 'invalid'
  // The name of the user, which ends with NUL.
  if (bytes.length < 9 || !bytes.includes(0, 8)) return undefined
  return { address: [...bytes.subarray(4, 8)].join('.'), port: bytes.readUInt16BE(2) }
}

/** "Request rejected or failed": the proxy tries its other server, which is the container. */
export const socksRefusal = Buffer.from([0, 91, 0, 0, 0, 0, 0, 0])
