import type { Dependencies } from '../../dependencies.ts'
import type { Lookup } from '../../infra/public-dns/public-dns.ts'
import { isPublicAddress } from '../../net/public-address.ts'
import { configuredAddresses } from '../../config/panel.ts'
import { portsOf, probeAddresses } from '../certificates/precheck.service.ts'
import { findZone } from '../dns-zones/zone-access.ts'
import { namesAbove } from '../domains/hostname.policy.ts'
import { ownAddressesOf, publicIpOf, publicIpv6Of } from '../domains/public-ip.service.ts'
import { listPublishedEdges } from '../nodes/published-edges.service.ts'
import { addressOwner } from './address-owner.policy.ts'
import type { DomainFacts } from './known-host.repository.ts'
import type { DnsObservations, ServerObservations } from './observations.types.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'now' | 'publicDns'>

// More would be looked up in parallel for one request.
const maxNamesAbove = 3
const maxAddresses = 8

export async function observeDns(
  deps: Deps,
  hostname: string,
  domain: DomainFacts | undefined,
  signal: AbortSignal
): Promise<Pick<ServerObservations, 'unreachable'> & { dns: DnsObservations }> {
  const { config, publicDns } = deps
  const [a, aaaa, managed, nameServers] = await Promise.all([
    publicDns.lookUp(hostname, 'A'),
    publicDns.lookUp(hostname, 'AAAA'),
    observeManagedZone(deps, domain),
    findNameServers(deps, hostname)
  ])
  const found = [...new Set([...a, ...aaaa].flatMap(({ values }) => values))].slice(0, maxAddresses)
  const addresses = await observeAddresses(deps, { hostname, domain, addresses: found }, signal)
  const unreachable = addresses.find(({ owner }) => owner === 'unreachable')
  return {
    dns: {
      hostname,
      managed,
      nameServers,
      a,
      aaaa,
      addresses,
      publicIp: publicIpOf(config),
      publicIpv6: publicIpv6Of(config)
    },
    unreachable: unreachable ? { address: unreachable.address, port: portsOf(config)[0]! } : null
  }
}

async function observeManagedZone(
  { config, db, publicDns }: Deps,
  domain: DomainFacts | undefined
): Promise<DnsObservations['managed']> {
  if (domain?.dnsMode !== 'MANAGED' || domain.zoneId === null) return null
  const zone = await findZone(db, domain.zoneId)
  if (!zone) return null
  const lookups = await publicDns.lookUp(zone.name, 'NS')
  // Resolvers return nothing until our servers answer for the name, so also ask the parent zone.
  const isSeen = lookups.some(({ values }) => values.length > 0)
  const delegated = isSeen ? [] : await publicDns.delegatedNameservers(zone.name)
  return { zone: zone.name, expected: config.DNS_NAMESERVERS, lookups, delegated }
}

async function findNameServers({ publicDns }: Deps, hostname: string): Promise<DnsObservations['nameServers']> {
  const names = [hostname, ...namesAbove(hostname)].slice(0, maxNamesAbove)
  const answers = await Promise.all(names.map((name) => publicDns.lookUp(name, 'NS')))
  const index = answers.findIndex((lookups) => lookups.some(hasValues))
  if (index === -1) return null
  return { name: names[index]!, servers: answers[index]!.find(hasValues)!.values.toSorted() }
}

const hasValues = ({ values }: Lookup): boolean => values.length > 0

/** Sends requests only to addresses of this server and to public ones, and only the proof that a certificate order uses. */
async function observeAddresses(
  deps: Deps,
  { hostname, domain, addresses }: { hostname: string; domain: DomainFacts | undefined; addresses: readonly string[] },
  signal: AbortSignal
): Promise<DnsObservations['addresses']> {
  const own = [...ownAddressesOf(deps.config), ...(await listPublishedEdges(deps.db))]
  const probed = addresses.filter((address) => own.includes(address) || isPublicAddress(address))
  const results = domain ? await probeAddresses(deps, { id: domain.id, hostname }, probed, signal) : []
  const isOwnKnown = configuredAddresses(deps.config).length > 0
  return addresses.map((address) => ({
    address,
    owner: addressOwner({
      isOwn: own.includes(address),
      isPublic: isPublicAddress(address),
      isOwnKnown,
      result: results.find((each) => each.address === address)?.result
    })
  }))
}
