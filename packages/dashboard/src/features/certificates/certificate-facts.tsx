import type { Schema } from '../../api/client.ts'
import { useI18n, useMessages } from '../../i18n/i18n.tsx'
import { CertificateStatus } from '../../ui/certificate-status/certificate-status.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Foreign } from '../../ui/foreign.tsx'
import { Notice } from '../../ui/notice.tsx'
import { SentenceText } from '../../ui/sentence-text.tsx'
import { Time } from '../../ui/time.tsx'
import { certificateProblemMessages } from '../../ui/shared-texts/certificate-problem.messages.ts'
import { certificateMessages } from './certificates.messages.ts'

type Certificate = Omit<Schema<'Certificate'>, 'certPath' | 'keyPath'>

export function CertificateFacts({ certificate }: { certificate: Certificate }) {
  const t = useMessages(certificateMessages)
  const { dateTime } = useI18n()
  const { validTo, nextRenewalAt, lastRenewedAt } = certificate
  return (
    <>
      {certificate.errorMessage !== null && (
        <Notice tone="bad">
          <SentenceText by={{ problem: certificateProblemMessages }} sentences={certificate.errorSentences}>
            {certificate.errorMessage}
          </SentenceText>
        </Notice>
      )}
      <Facts
        rows={[
          { name: t('state'), value: <CertificateStatus certificate={certificate} /> },
          { name: t('kind'), value: t(`type.${certificate.type}`) },
          { name: t('issuer'), value: certificate.issuer === null ? '–' : <Foreign>{certificate.issuer}</Foreign> },
          {
            name: t('until'),
            value: validTo === null ? '–' : dateTime(validTo)
          },
          ...(nextRenewalAt === null ? [] : [{ name: t('next'), value: <Time at={nextRenewalAt} /> }]),
          ...(lastRenewedAt === null ? [] : [{ name: t('renewed'), value: <Time at={lastRenewedAt} /> }]),
          { name: t('names'), value: <span dir="ltr">{certificate.sans.join(', ')}</span> }
        ]}
      />
    </>
  )
}
