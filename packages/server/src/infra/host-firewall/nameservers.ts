import { readFile } from 'node:fs/promises'
import { isIPv4 } from 'node:net'

// Both are optional. The engine uses the second file if the first only names systemd-resolved on loopback.
const files = ['/etc/resolv.conf', '/run/systemd/resolve/resolv.conf']

export async function readNameservers(): Promise<string[]> {
  const texts = await Promise.all(files.map((path) => readFile(path, 'utf8').catch(() => '')))
  return nameserversIn(texts.join('\n'))
}

export function nameserversIn(resolvConf: string): string[] {
  const found = [...resolvConf.matchAll(/^[ \t]*nameserver[ \t]+(\S+)/gm)].map((match) => match[1]!)
  return [...new Set(found)].filter((address) => isIPv4(address) && !address.startsWith('127.'))
}
