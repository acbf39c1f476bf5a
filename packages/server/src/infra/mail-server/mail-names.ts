import { isHostname } from '../../net/hostname.ts'

/** As in the contract. Used as a file name, a table key and part of a line. */
const localPartPattern = /^[a-z0-9_](?:[a-z0-9_-]|\.(?!\.|$)){0,63}$/

/** A dot-string (RFC 5321 §4.1.2) without characters that Postfix tables could interpret. */
const targetPattern = /^(?!-)[a-z0-9_+=~&'-]+(?:\.[a-z0-9_+=~&'-]+)*$/

/** RFC 5321 §4.5.3.1.3. */
const addressMaxLength = 254

export const isMailDomain = (name: string): boolean => isHostname(name) && name.includes('.')

export function assertMailDomain(name: string): void {
  if (!isMailDomain(name)) throw new TypeError(`Not a mail domain: ${JSON.stringify(name).slice(0, 300)}`)
}

export function assertLocalPart(localPart: string): void {
  if (!localPartPattern.test(localPart))
    throw new TypeError(`Not a mailbox: ${JSON.stringify(localPart).slice(0, 300)}`)
}

export function parseMailbox(address: string): { localPart: string; domain: string } {
  const at = address.lastIndexOf('@')
  const [localPart, domain] = [address.slice(0, Math.max(at, 0)), address.slice(at + 1)]
  assertLocalPart(localPart)
  assertMailDomain(domain)
  return { localPart, domain }
}

export function assertTarget(address: string): void {
  const at = address.lastIndexOf('@')
  const localPart = address.slice(0, Math.max(at, 0))
  const isGood =
    address.length <= addressMaxLength &&
    localPart.length <= 64 &&
    targetPattern.test(localPart) &&
    isMailDomain(address.slice(at + 1))
  if (!isGood) throw new TypeError(`Not an address: ${JSON.stringify(address).slice(0, 300)}`)
}

export function assertKeptName(name: string): void {
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/.test(name))
    throw new TypeError(`Not a name: ${JSON.stringify(name).slice(0, 300)}`)
}
