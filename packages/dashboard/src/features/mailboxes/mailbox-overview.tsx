import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { api, data, type Schema } from '../../api/client.ts'
import { useI18n, useMessages } from '../../i18n/i18n.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/section.tsx'
import { RowsSkeleton } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { useAction } from '../../ui/use-action.ts'
import { ClientSetup } from './client-setup.tsx'
import { DeleteMailbox } from './delete-mailbox.tsx'
import { MailboxUsage } from './mailbox-usage.tsx'
import classes from './mailboxes.module.css'
import { mailboxMessages } from './mailboxes.messages.ts'
import { webmailActivityQuery } from './mail-clients.queries.ts'
import { mailboxQuery } from './mailboxes.queries.ts'

const ChangePassword = lazy(() => import('./change-mailbox.tsx').then((module) => ({ default: module.ChangePassword })))
const DeliveryTest = lazy(() => import('./delivery-test.tsx').then((module) => ({ default: module.DeliveryTest })))
const ChangeQuota = lazy(() => import('./change-mailbox.tsx').then((module) => ({ default: module.ChangeQuota })))

export function MailboxOverview() {
  const { mailboxId } = useParams({ from: '/signed-in/mail/$mailboxId' })
  const { data: mailbox } = useQuery(mailboxQuery(mailboxId))
  if (!mailbox) return null
  return (
    <>
      <Holds mailbox={mailbox} />
      <ClientSetup mailboxId={mailboxId} />
      <Suspense fallback={<RowsSkeleton rows={3} />}>
        <ChangePassword mailboxId={mailboxId} />
        <ChangeQuota key={mailbox.quota} mailbox={mailbox} />
        <DeliveryTest mailboxId={mailboxId} />
      </Suspense>
      <DeleteMailbox mailbox={mailbox} />
    </>
  )
}

function Holds({ mailbox }: { mailbox: Schema<'Mailbox'> }) {
  const t = useMessages(mailboxMessages)
  const { number } = useI18n()
  const { data: activity } = useQuery(webmailActivityQuery)
  const { id, enabled, usage, createdAt } = mailbox
  const last = activity?.logins.find(({ mailboxId }) => mailboxId === id)
  const toggle = useAction({
    run: () => data(api.PATCH('/api/mailboxes/{id}', { params: { path: { id } }, body: { enabled: !enabled } })),
    invalidates: [['mailboxes']],
    done: () => t(enabled ? 'switchedOff' : 'switchedOn')
  })
  return (
    <Section title={t('facts')}>
      {!enabled && <Notice tone="warn">{t('off.hint')}</Notice>}
      <Facts
        rows={[
          { name: t('column.usage'), value: <MailboxUsage mailbox={mailbox} /> },
          { name: t('column.messages'), value: usage === null ? '–' : number(usage.messages) },
          ...(last ? [{ name: t('lastWebmail'), value: <Time at={last.lastLogin} /> }] : []),
          { name: t('created'), value: <Time at={createdAt} /> }
        ]}
      />
      <div className={classes.row}>
        <Button variant="default" loading={toggle.isPending} onClick={() => toggle.start()}>
          {t(enabled ? 'switchOff' : 'switchOn')}
        </Button>
        <Button
          component="a"
          variant="default"
          href={`/api/mailboxes/${id}/export`}
          download
          leftSection={<IconDownload size={16} aria-hidden />}
        >
          {t('download')}
        </Button>
      </div>
    </Section>
  )
}
