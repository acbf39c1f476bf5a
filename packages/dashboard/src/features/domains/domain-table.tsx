import { Link } from '@tanstack/react-router'
import type { Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { CertificateStatus } from '../../ui/certificate-status/certificate-status.tsx'
import { CutName } from '../../ui/cut-name.tsx'
import { DomainStatus } from './domain-status.tsx'
import classes from './domain-table.module.css'
import { domainMessages } from './domains.messages.ts'

export function DomainTable({ domains }: { domains: readonly Schema<'Domain'>[] }) {
  const t = useMessages(domainMessages)
  return (
    <table className={`${card.table} ${card.cards} ${classes.table}`}>
      <thead>
        <tr>
          <th scope="col">{t('column.name')}</th>
          <th scope="col">{t('column.state')}</th>
          <th scope="col">{t('column.dns')}</th>
          <th scope="col">{t('column.https')}</th>
        </tr>
      </thead>
      <tbody>
        {domains.map(({ id, hostname, pathPrefix, status, dnsMode, certificate }) => (
          <tr key={id}>
            <td className={classes.name}>
              <Link to="/domains/$domainId" params={{ domainId: id }} className={card.rowLink!}>
                <CutName name={`${hostname}${pathPrefix ?? ''}`} tail={14} />
              </Link>
            </td>
            <td>
              <DomainStatus status={status} />
            </td>
            <td className={card.sub}>{t(`mode.${dnsMode}`)}</td>
            <td>
              <CertificateStatus certificate={certificate} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
