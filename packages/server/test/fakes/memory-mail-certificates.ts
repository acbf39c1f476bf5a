import type {
  MailCertificate,
  MailCertificateContent,
  MailCertificates
} from '../../src/infra/mail-server/mail-certificates.ts'

export interface MemoryMailCertificates extends MailCertificates {
  readonly served: Map<string, MailCertificate & MailCertificateContent>
}

export function createMemoryMailCertificates(): MemoryMailCertificates {
  const served: MemoryMailCertificates['served'] = new Map()
  const describe = () => JSON.stringify([...served.values()])
  return {
    served,
    async sync(wanted, load) {
      const before = describe()
      const ids = new Set(wanted.map(({ id }) => id))
      for (const id of served.keys()) if (!ids.has(id)) served.delete(id)
      for (const certificate of wanted) {
        const known = served.get(certificate.id)
        const content = known?.fingerprint === certificate.fingerprint ? known : await load(certificate.id)
        if (content) served.set(certificate.id, { ...certificate, chain: content.chain, keyPem: content.keyPem })
        else served.delete(certificate.id)
      }
      return describe() !== before
    }
  }
}
