import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { api, data } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { Notice } from '../../ui/notice.tsx'
import { SentenceText } from '../../ui/sentence-text.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { certificateProblemMessages } from '../../ui/shared-texts/certificate-problem.messages.ts'
import { useAction } from '../../ui/use-action.ts'
import type { Steps } from './use-steps.ts'
import { welcomeMessages } from './welcome.messages.ts'
import classes from './welcome.module.css'

/** Adds the panel's domain to the account, orders its certificate, and then moves the browser to HTTPS. */
export function CertificateStep({ steps: { dns, domain, certificate, isDone } }: { steps: Steps }) {
  const t = useMessages(welcomeMessages)
  const hostname = dns.data?.domain ?? null
  const order = useAction({
    run: async () => {
      const { id } = domain ?? (await data(api.POST('/api/domains', { body: { hostname: hostname! } })))
      return data(api.POST('/api/domains/{id}/ssl/provision', { params: { path: { id } } }))
    },
    invalidates: [['domains'], ['overview']]
  })
  const move = useAction({
    run: () => data(api.POST('/api/auth/session/move')),
    invalidates: [],
    onDone: ({ url }) => location.assign(url)
  })
  if (hostname === null) return <Notice tone="info">{t('certificate.later')}</Notice>
  if (isDone.certificate)
    return (
      <div className={classes.body}>
        <p className={classes.text}>{t('certificate.done', { hostname })}</p>
        {location.hostname !== hostname && (
          <div>
            <Button loading={move.isPending} onClick={() => move.start()}>
              {t('certificate.move', { hostname })}
            </Button>
          </div>
        )}
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
      {certificate?.status === 'PENDING' ? (
        <StatusBadge tone="info" isBusy>
          {t('certificate.pending')}
        </StatusBadge>
      ) : (
        <div className={classes.acts}>
          <Button loading={order.isPending} onClick={() => order.start()}>
            {t('certificate.order')}
          </Button>
          {domain && (
            <Link to="/domains/$domainId/certificate" params={{ domainId: domain.id }}>
              {t('certificate.view')}
            </Link>
          )}
        </div>
      )}
    </div>
  )
}
