import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMessages } from '../../i18n/i18n.tsx'
import { Foreign } from '../../ui/foreign.tsx'
import { Notice } from '../../ui/notice.tsx'
import { certificateAlertsQuery } from '../certificates/certificates.queries.ts'
import { domainMessages } from './domains.messages.ts'
import classes from './certificate-alerts.module.css'

const shown = 5

export function CertificateAlerts() {
  const t = useMessages(domainMessages)
  const { data } = useQuery(certificateAlertsQuery)
  if (!data || data.alerts.length === 0) return null
  const more = data.alerts.length - shown
  return (
    <div className={classes.alerts}>
      <Notice tone={data.alerts.some(({ reason }) => reason !== 'EXPIRING_SOON') ? 'bad' : 'warn'}>
        <strong>{t('alerts', { count: data.alerts.length })}</strong>
        <ul>
          {data.alerts.slice(0, shown).map(({ certificateId, domainId, hostname, reason }) => (
            <li key={certificateId}>
              <Link to="/domains/$domainId/certificate" params={{ domainId }}>
                <Foreign>{hostname}</Foreign>
              </Link>
              : {t(`alert.${reason}`)}
            </li>
          ))}
        </ul>
        {more > 0 && t('alerts.more', { count: more })}
      </Notice>
    </div>
  )
}
