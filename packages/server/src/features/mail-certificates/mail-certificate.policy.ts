import type { MailCertificate } from '../../infra/mail-server/mail-certificates.ts'

export interface CertifiedHost {
  id: string
  fingerprint: string
  hostname: string
}

/** Exact matches win over wildcards. Default (no SNI): the first name in `own` that has a certificate. */
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
