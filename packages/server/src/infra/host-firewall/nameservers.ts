import { readFile } from 'node:fs/promises'
import { isIPv4 } from 'node:net'

// The container engine takes the second one where the first names only systemd's own resolver on loopback.
const files = ['/etc/resolv.conf', '/run/systemd/resolve/resolv.conf']

/** The IPv4 resolvers that containers are sent to by the engine. */
export async function readNameservers(): Promise<string[]> {
  const texts = await Promise.all(files.map((path) => readFile(path, 'utf8').catch(() => ''))) // None is fine.
  return nameserversIn(texts.join('\n'))
}

export function nameserversIn(resolvConf: string): string[] {
  const found = [...resolvConf.matchAll(/^[ \t]*nameserver[ \t]+(\S+)/gm)].map((match) => match[1]!)
  return [...new Set(found)].filter((address) => isIPv4(address) && !address.startsWith('127.'))
}
