import type { CreateDnsRecord } from '@panel/contract/dns-records'
import type { Dependencies } from '../dependencies.ts'
import { uploadCertificate } from '../features/certificates/certificates.service.ts'
import { changeDnsMode } from '../features/dns-records/dns-mode.service.ts'
import { createDnsRecord } from '../features/dns-records/dns-records.service.ts'
import { createDomain } from '../features/domains/domains.service.ts'
import { verifyDomain } from '../features/domains/verification.service.ts'
import { createSelfSigned } from '../infra/x509/self-signed.ts'
import { firstSite } from './demo-sites.ts'

const dayMs = 24 * 3_600_000

/** Its zone is on the panel's name server, and its mail on the panel's mail server. */
export const mailDomain = 'brandt-bakery.example'

type Records = readonly Pick<CreateDnsRecord, 'type' | 'name' | 'value'>[]

const bakeryRecords: Records = [
  { type: 'CNAME', name: 'shop', value: `www.${mailDomain}` },
  { type: 'CAA', name: '@', value: '0 issue "letsencrypt.org"' },
  { type: 'TXT', name: '@', value: 'google-site-verification=8nK3pQ1xVb7rT5cW2yLm4dZs' },
  { type: 'TXT', name: '_atproto', value: 'did=did:web:brandt-bakery.example' }
]

/** Domains of three sites: one in a zone of its own, one with a certificate that expires in six days, one not verified. */
export async function addDomains(
  deps: Dependencies,
  userId: string,
  projectIds: ReadonlyMap<string, string>
): Promise<{ mailDomainId: string }> {
  const add = async (hostname: string, site?: string) =>
    createDomain(deps, {}, userId, { hostname, projectId: site === undefined ? null : projectIds.get(site)! })

  const bakery = await add(mailDomain, firstSite)
  await verify(deps, userId, bakery.id)
  await changeDnsMode(deps, {}, userId, bakery.id, { mode: 'MANAGED', skipDelegationCheck: true, force: false })
  await add(`www.${mailDomain}`, firstSite)
  for (const record of bakeryRecords) await createDnsRecord(deps, {}, userId, bakery.id, { ...record, ttl: 3600 })

  const travel = await add('www.weber-travel.example', 'booking-api')
  await verify(deps, userId, travel.id)
  const issuedAt = new Date(deps.now().getTime() - 84 * dayMs)
  const { chain, keyPem } = await createSelfSigned([travel.hostname], { now: issuedAt, days: 90 })
  await uploadCertificate(deps, {}, userId, travel.id, { certificate: chain, privateKey: keyPem })

  await add('www.studio-north.example', 'studio-north')
  return { mailDomainId: bakery.id }
}

/** Domains below .example do not exist, so that no resolver has the record. */
async function verify(deps: Dependencies, userId: string, id: string): Promise<void> {
  const simulated = { ...deps, config: { ...deps.config, PANEL_MOCK_DNS: true } }
  await verifyDomain(simulated, {}, userId, id, { mock: 'true' })
}
