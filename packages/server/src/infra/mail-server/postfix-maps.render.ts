import { reportIntakeAddress } from '../mail-intake/intake-address.ts'
import { assertLocalPart, assertMailDomain, assertTarget } from './mail-names.ts'
import type { ServedMailDomain } from './mail-server.ts'

export const mapNames = [
  'domains',
  'mailboxes',
  'aliases',
  'senders',
  'transports',
  'recipients',
  'logins',
  'reports',
  'origins'
] as const
export type MapName = (typeof mapNames)[number]

export type MapEntries = Readonly<Record<MapName, ReadonlyMap<string, string>>>

const suspendedTransport = 'retry:4.2.1 This mailbox is temporarily unavailable'
const suspendedRecipient = '450 4.2.1 This mailbox is temporarily unavailable'
const blockedLogin = 'REJECT 5.7.1 This mailbox may not send'

/** With a catch-all each mailbox needs an alias to itself, or the catch-all would take its mail. */
export function renderMapEntries(domain: ServedMailDomain): MapEntries {
  const { name, isSuspended, mailboxes, aliases } = domain
  assertMailDomain(name)
  const entries = emptyEntries()
  const hasCatchAll = aliases.some(({ localPart, targets }) => localPart === undefined && targets.length > 0)
  const own = new Set<string>()
  for (const { localPart, mayLogIn } of mailboxes) {
    assertLocalPart(localPart)
    const address = `${localPart}@${name}`
    own.add(address)
    entries.mailboxes.set(address, 'OK')
    entries.senders.set(address, address)
    if (hasCatchAll) entries.aliases.set(address, address)
    if (isSuspended || !mayLogIn) entries.logins.set(address, blockedLogin)
  }
  for (const { localPart, targets, senders = [] } of aliases) {
    if (localPart !== undefined) assertLocalPart(localPart)
    for (const target of [...targets, ...senders]) assertTarget(target)
    if (targets.length === 0) continue
    const address = `${localPart ?? ''}@${name}`
    const all = [...new Set(own.has(address) ? [address, ...targets] : targets)]
    entries.aliases.set(address, all.join(', '))
    if (!own.has(address) && senders.length > 0) entries.senders.set(address, senders.join(', '))
  }
  entries.domains.set(name, 'OK')
  // Mail of our own senders is sent directly; all other outgoing mail is forwarded, with a rewritten sender (SRS).
  entries.origins.set(`@${name}`, 'smtp:')
  // The report address in the generated DMARC record: the panel gets a copy, wherever the address delivers.
  entries.reports.set(`postmaster@${name}`, reportIntakeAddress(name))
  if (isSuspended) {
    entries.transports.set(name, suspendedTransport)
    entries.recipients.set(name, suspendedRecipient)
  }
  return entries
}

export const renderFragment = (entries: MapEntries): string =>
  mapNames.flatMap((map) => [...entries[map]].map(([key, value]) => `${map}\t${key}\t${value}\n`)).join('')

export function parseFragment(text: string): MapEntries {
  const entries = emptyEntries()
  for (const line of text.split('\n')) {
    const [map, key, value] = line.split('\t')
    if (isMapName(map) && key !== undefined && value !== undefined) entries[map].set(key, value)
  }
  return entries
}

export const mergeEntries = (first: MapEntries, second: MapEntries): MapEntries =>
  forEachMap((map) => new Map([...first[map], ...second[map]]))

export const renderMapLines = (entries: Iterable<readonly [string, string]>): string =>
  [...entries].map(([key, value]) => `${key}\t${value}\n`).join('')

export const emptyEntries = () => forEachMap(() => new Map<string, string>())

export const forEachMap = <T>(make: (map: MapName) => T): Record<MapName, T> =>
  Object.fromEntries(mapNames.map((map) => [map, make(map)])) as Record<MapName, T>

const isMapName = (text: string | undefined): text is MapName =>
  (mapNames as readonly (string | undefined)[]).includes(text)
