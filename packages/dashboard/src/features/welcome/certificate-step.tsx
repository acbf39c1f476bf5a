import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { api, data } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { Notice } from '../../ui/notice.tsx'
import { SentenceText, useSentenceText } from '../../ui/sentence-text.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { useAction } from '../../ui/use-action.ts'
import { certificateProblemMessages } from '../../ui/shared-texts/certificate-problem.messages.ts'
import { proofMessages } from '../../ui/shared-texts/proof.messages.ts'
import type { Steps } from './use-steps.ts'
import { welcomeMessages } from './welcome.messages.ts'
import classes from './welcome.module.css'

/** The panel's own name is a domain like others: added, verified, and given a certificate. */
export function CertificateStep({ steps: { dns, domain, certificate, isDone } }: { steps: Steps }) {
  const t = useMessages(welcomeMessages)
  const say = useSentenceText({ proof: proofMessages })
  const hostname = dns.data?.domain ?? null
  const invalidates = [['domains'], ['overview']]
  const add = useAction({ run: () => data(api.POST('/api/domains', { body: { hostname: hostname! } })), invalidates })
  const path = { path: { id: domain?.id ?? '' } }
  const verify = useAction({
    run: () => data(api.POST('/api/domains/{id}/verify', { params: path })),
    invalidates,
    done: ({ message, sentences }) => say(sentences) ?? message
  })
  const order = useAction({
    run: () => data(api.POST('/api/domains/{id}/ssl/provision', { params: path })),
    invalidates
  })
  if (hostname === null) return <Notice tone="info">{t('certificate.later')}</Notice>
  if (domain === null)
    return (
      <div className={classes.body}>
        <p className={classes.text}>{t('certificate.add.hint', { hostname })}</p>
        <div className={classes.acts}>
          <Button loading={add.isPending} onClick={() => add.start()}>
            {t('certificate.add', { hostname })}
          </Button>
        </div>
      </div>
    )
  const link = (
    <Link to="/domains/$domainId" params={{ domainId: domain.id }}>
      {t('certificate.domain')}
    </Link>
  )
  if (domain.status !== 'ACTIVE')
    return (
      <div className={classes.body}>
        <p className={classes.text}>{t('certificate.verify.hint')}</p>
        <div className={classes.acts}>
          <Button loading={verify.isPending} onClick={() => verify.start()}>
            {t('certificate.verify')}
          </Button>
          {link}
        </div>
      </div>
    )
  return (
    <div className={classes.body}>
      {certificate?.errorMessage != null && (
        <Notice tone="bad">
          <SentenceText by={{ problem: certificateProblemMessages }} sentences={certificate.errorSentences}>
            {certificate.errorMessage}
          </SentenceText>
        </Notice>
      )}
      {isDone.certificate ? (
        <p className={classes.text}>{t('certificate.done')}</p>
      ) : certificate?.status === 'PENDING' ? (
        <StatusBadge tone="info" isBusy>
          {t('certificate.pending')}
        </StatusBadge>
      ) : (
        <div className={classes.acts}>
          <Button loading={order.isPending} onClick={() => order.start()}>
            {t('certificate.order')}
          </Button>
          {link}
        </div>
      )}
    </div>
  )
}
