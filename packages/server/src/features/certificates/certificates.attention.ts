import type { OverviewCode } from '@panel/contract/overview'
import { attentionItem, type AttentionSource, foundIn } from '../attention.ts'
import { alertMs } from '../domains/certificate-expiry.policy.ts'
import { listCertificatesWithProblems } from './attention.repository.ts'

export const certificatesNeedingAttention: AttentionSource = {
  list: async ({ db, now }, { id }) =>
    foundIn(await listCertificatesWithProblems(db, id, new Date(now().getTime() + alertMs)), (row) =>
      attentionItem(codeOf(row, now()), 'domain', row.domainId, row.hostname, {
        detail: row.errorMessage ?? row.validTo?.toISOString() ?? null,
        sentences: row.errorSentences,
        since: row.since
      })
    )
}

interface CertificateFacts {
  status: string
  isServed: boolean
  validTo: Date | null
  failures: number
}

function codeOf({ status, isServed, validTo, failures }: CertificateFacts, now: Date): OverviewCode {
  if (!isServed || status === 'ERROR') return 'CERTIFICATE_FAILED'
  if (validTo !== null && validTo <= now) return 'CERTIFICATE_EXPIRED'
  return failures > 0 ? 'CERTIFICATE_RENEWAL_FAILING' : 'CERTIFICATE_EXPIRING'
}
