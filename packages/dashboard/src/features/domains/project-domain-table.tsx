import { IconUnlink } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { CertificateStatus } from '../../ui/certificate-status/certificate-status.tsx'
import { CutName } from '../../ui/cut-name.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { useAction } from '../../ui/use-action.ts'
import { DomainStatus } from './domain-status.tsx'
import classes from './domain-table.module.css'
import { domainMessages } from './domains.messages.ts'
import { pointDomain } from './domains.queries.ts'
import { routeOrder } from './route-order.ts'

export function ProjectDomainTable({ domains }: { domains: readonly Schema<'Domain'>[] }) {
  const t = useMessages(domainMessages)
  const detach = useAction({
    run: ({ id }: Schema<'Domain'>) => pointDomain(id, null),
    invalidates: [['domains']],
    done: (_result, { hostname }) => t('detached', { hostname })
  })
  return (
    <table className={`${card.table} ${card.cards} ${classes.table}`}>
      <thead>
        <tr>
          <th scope="col">{t('column.name')}</th>
          <th scope="col">{t('column.state')}</th>
          <th scope="col">{t('column.https')}</th>
          <td />
        </tr>
      </thead>
      <tbody>
        {routeOrder(domains)
          .flatMap(([, routes]) => routes)
          .map((domain) => (
            <tr key={domain.id}>
              <td className={classes.name}>
                <Link to="/domains/$domainId" params={{ domainId: domain.id }} className={card.rowLink!}>
                  <CutName name={`${domain.hostname}${domain.pathPrefix ?? ''}`} tail={14} />
                </Link>
              </td>
              <td>
                <DomainStatus status={domain.status} />
              </td>
              <td>
                <CertificateStatus certificate={domain.certificate} />
              </td>
              <td className={card.end}>
                <IconButton
                  label={t('detach', { hostname: `${domain.hostname}${domain.pathPrefix ?? ''}` })}
                  disabled={detach.isPending}
                  onClick={() => detach.start(domain)}
                >
                  <IconUnlink size={16} aria-hidden />
                </IconButton>
              </td>
            </tr>
          ))}
      </tbody>
    </table>
  )
}
