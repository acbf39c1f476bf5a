import type { CreatedDomain } from '@panel/contract/domains'
import { dnsRecords } from '../../src/db/schema/dns-records.ts'
import { newId } from '../../src/security/ids.ts'
import type { MemoryDnsServer } from '../fakes/memory-dns-server.ts'
import type { MemoryPublicDns } from '../fakes/memory-public-dns.ts'
import type { MemoryReverseProxy } from '../fakes/memory-reverse-proxy.ts'
import type { Client, TestPanel } from './panel.ts'

export const proxyOf = (panel: TestPanel) => panel.deps.proxy as MemoryReverseProxy
export const dnsServerOf = (panel: TestPanel) => panel.deps.dnsServer as MemoryDnsServer
export const publicDnsOf = (panel: TestPanel) => panel.deps.publicDns as MemoryPublicDns

export async function addDomain(
  by: Client,
  hostname: string,
  values: Record<string, unknown> = {}
): Promise<CreatedDomain> {
  const response = await by.request('POST', '/api/domains', { hostname, ...values })
  if (response.statusCode !== 201) throw new Error(`no domain: ${response.body}`)
  return response.json<CreatedDomain>()
}

export async function addVerifiedDomain(
  by: Client,
  hostname: string,
  values: Record<string, unknown> = {}
): Promise<CreatedDomain> {
  const domain = await addDomain(by, hostname, values)
  if (domain.status !== 'ACTIVE') {
    const response = await by.request('POST', `/api/domains/${domain.id}/verify?mock=true`)
    if (!response.json<{ verified: boolean }>().verified) throw new Error(`not verified: ${response.body}`)
  }
  return { ...domain, status: 'ACTIVE' }
}

export async function addManagedDomain(by: Client, hostname: string): Promise<CreatedDomain> {
  const domain = await addVerifiedDomain(by, hostname)
  if (domain.dnsMode === 'CONNECTED') {
    const response = await by.request('PATCH', `/api/domains/${domain.id}/dns-mode`, {
      mode: 'MANAGED',
      skipDelegationCheck: true
    })
    if (response.statusCode !== 200) throw new Error(`not managed: ${response.body}`)
  }
  return { ...domain, dnsMode: 'MANAGED' }
}

/** Inserts records without validation. */
export async function fillZone(
  { deps }: TestPanel,
  domainId: string,
  count: number,
  recordOf: (index: number) => Pick<typeof dnsRecords.$inferInsert, 'name' | 'type' | 'value'>
): Promise<void> {
  const rows = Array.from({ length: count }, (_, index) => ({ ...recordOf(index), id: newId(), domainId, ttl: 3600 }))
  for (let from = 0; from < rows.length; from += 1000)
    await deps.db.insert(dnsRecords).values(rows.slice(from, from + 1000))
}
