import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { CopyField } from '../../ui/copy-field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ScrollRegion } from '../../ui/scroll-region.tsx'
import { Section } from '../../ui/section.tsx'
import { ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import classes from './mailboxes.module.css'
import { mailboxMessages } from './mailboxes.messages.ts'
import { clientSettingsQuery } from './mail-clients.queries.ts'

export function ClientSetup({ mailboxId }: { mailboxId: string }) {
  const t = useMessages(mailboxMessages)
  const { data: settings, error, refetch } = useQuery(clientSettingsQuery(mailboxId))
  return (
    <Section
      title={t('setup')}
      hint={t('setup.hint')}
      actions={
        settings && (
          <Button
            component="a"
            variant="default"
            href={`/api/mailboxes/${mailboxId}/apple-profile`}
            leftSection={<IconDownload size={16} aria-hidden />}
          >
            {t('setup.apple')}
          </Button>
        )
      }
    >
      {error && !settings && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!error && !settings && <RowsSkeleton rows={4} height={41} />}
      {settings && (
        <div className={classes.gap}>
          {!settings.isTrusted && <Notice tone="warn">{t('setup.untrusted')}</Notice>}
          <p className={classes.text}>{t('setup.apple.hint')}</p>
          <CopyField label={t('setup.user')} value={settings.username} />
          {[...new Set(settings.services.map(({ host }) => host))].map((host) => (
            <CopyField key={host} label={t('setup.host')} value={host} />
          ))}
          <ScrollRegion label={t('setup.service')}>
            <table className={card.table}>
              <thead>
                <tr>
                  <th scope="col">{t('setup.service')}</th>
                  <th scope="col" className={card.end}>
                    {t('setup.port')}
                  </th>
                  <th scope="col">{t('setup.security')}</th>
                </tr>
              </thead>
              <tbody>
                {settings.services.map(({ service, host, port, security }) => (
                  <tr key={`${service} ${host} ${port}`}>
                    <td>{t(`service.${service}`)}</td>
                    <td className={card.end}>{port}</td>
                    <td dir="ltr">{security === 'TLS' ? t('security.TLS') : 'STARTTLS'}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </ScrollRegion>
        </div>
      )}
    </Section>
  )
}
