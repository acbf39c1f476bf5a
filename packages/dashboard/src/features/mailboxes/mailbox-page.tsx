import { Button } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Outlet, useParams } from '@tanstack/react-router'
import { useMessages } from '../../i18n/i18n.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { safeUrl } from '../../ui/safe-url.ts'
import { ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { MailboxStatus } from './mailbox-status.tsx'
import { mailboxMessages } from './mailboxes.messages.ts'
import { webmailQuery } from './mail-clients.queries.ts'
import { mailboxQuery } from './mailboxes.queries.ts'

const tabs = [
  { label: 'tab.overview', to: '/mail/$mailboxId' },
  { label: 'tab.forwarding', to: '/mail/$mailboxId/forwarding' },
  { label: 'tab.reply', to: '/mail/$mailboxId/reply' },
  { label: 'tab.import', to: '/mail/$mailboxId/import' },
  { label: 'tab.backups', to: '/mail/$mailboxId/backups' }
] as const

export function MailboxPage() {
  const t = useMessages(mailboxMessages)
  const { mailboxId } = useParams({ from: '/signed-in/mail/$mailboxId' })
  const { data: mailbox, error, refetch } = useQuery(mailboxQuery(mailboxId))
  const { data: webmail } = useQuery(webmailQuery(mailboxId))
  if (error && !mailbox) return <ErrorState isPage error={error} onRetry={() => void refetch()} />
  if (!mailbox) return <RowsSkeleton />
  const href = webmail ? safeUrl(webmail.url) : undefined
  return (
    <>
      <PageHeader
        title={mailbox.address}
        crumbs={[{ label: t('title'), link: { to: '/mail' } }]}
        badge={<MailboxStatus mailbox={mailbox} />}
        actions={
          href !== undefined && (
            <Button
              component="a"
              href={href}
              target="_blank"
              rel="noreferrer"
              rightSection={<IconExternalLink size={16} aria-hidden />}
            >
              {t('webmail')}
            </Button>
          )
        }
      />
      <Tabs
        label={t('tabs.one')}
        of={mailbox.address}
        items={tabs.map(({ label, to }) => ({
          label: t(label),
          link: { to, params: { mailboxId }, activeOptions: { exact: true, includeSearch: false } }
        }))}
      />
      <Outlet />
    </>
  )
}
