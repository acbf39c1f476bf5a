import type { MailCertificate } from '../../infra/mail-server/mail-certificates.ts'

/** An issued certificate and its host name, which may be a wildcard. */
export interface CertifiedHost {
  id: string
  fingerprint: string
  hostname: string
}

/**
 * The certificate for each name of the mail servers. An exact match wins over a wildcard; the default, for clients
 * without SNI, is that of the first name in `own` that has one.
 */
export function chooseMailCertificates(
  certified: readonly CertifiedHost[],
  { own, domains }: { own: readonly string[]; domains: readonly string[] }
): MailCertificate[] {
  const byHost = new Map(certified.map((certificate) => [certificate.hostname, certificate]))
  const find = (name: string) => byHost.get(name) ?? byHost.get(`*.${name.slice(name.indexOf('.') + 1)}`)
  const names = new Set([...own, ...domains.map((domain) => `mail.${domain}`)])
  const chosen = new Map<string, { certificate: CertifiedHost; hostnames: string[] }>()
  for (const name of names) {
    const certificate = find(name)
    if (!certificate) continue
    const entry = chosen.get(certificate.id) ?? { certificate, hostnames: [] }
    entry.hostnames.push(name)
    chosen.set(certificate.id, entry)
  }
  const fallback = own.map(find).find((certificate) => certificate !== undefined)
  return [...chosen.values()].map(({ certificate: { id, fingerprint }, hostnames }) => ({
    id,
    fingerprint,
    hostnames,
    isDefault: id === fallback?.id
  }))
}
