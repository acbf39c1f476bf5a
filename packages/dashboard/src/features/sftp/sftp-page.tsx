import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, data, type Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { CopyField } from '../../ui/copy-field.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Section } from '../../ui/section.tsx'
import { EmptyState, ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { useAction } from '../../ui/use-action.ts'
import { SftpKeys } from './sftp-keys.tsx'
import classes from './sftp.module.css'
import { sftpMessages } from './sftp.messages.ts'
import { useIsUnavailable } from '../system/health.queries.ts'
import { sftpQuery } from './sftp.queries.ts'

type Credentials = Schema<'SftpCredentials'>

export function SftpPage() {
  const t = useMessages(sftpMessages)
  const isUnavailable = useIsUnavailable('sftpServer')
  const { data: user, error, refetch } = useQuery(sftpQuery)
  // Component state only, never cached.
  const [credentials, setCredentials] = useState<Credentials>()
  const provision = useAction({
    run: () => data(api.POST('/api/sftp/provision')),
    invalidates: [['sftp']],
    onDone: (made) => setCredentials(made)
  })
  const badge = user && (
    <StatusBadge tone={user.isEnabled ? 'ok' : 'idle'}>{t(user.isEnabled ? 'on' : 'off')}</StatusBadge>
  )
  return (
    <>
      <PageHeader title={t('title')} badge={badge} />
      {error && user === undefined && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!error && user === undefined && <RowsSkeleton />}
      {user === null && (
        <div className={card.card}>
          <EmptyState
            title={t('none')}
            hint={t('none.hint')}
            action={
              <Button disabled={isUnavailable} loading={provision.isPending} onClick={() => provision.start()}>
                {t('provision')}
              </Button>
            }
          />
        </div>
      )}
      {user && (
        <>
          <Access user={user} credentials={credentials} onCredentials={setCredentials} />
          <SftpKeys keys={user.sshPublicKeys} />
        </>
      )}
    </>
  )
}

interface AccessProps {
  user: Schema<'SftpUser'>
  credentials: Credentials | undefined
  onCredentials(credentials: Credentials): void
}

function Access({ user, credentials, onCredentials }: AccessProps) {
  const t = useMessages(sftpMessages)
  const isUnavailable = useIsUnavailable('sftpServer')
  const invalidates = [['sftp']]
  const show = useAction({ run: () => data(api.GET('/api/sftp/credentials')), invalidates: [], onDone: onCredentials })
  const rotate = useAction({
    run: () => data(api.POST('/api/sftp/rotate-password')),
    invalidates,
    onDone: onCredentials,
    done: () => t('rotated')
  })
  const toggle = useAction({
    run: async () => {
      await (user.isEnabled ? data(api.DELETE('/api/sftp/disable')) : data(api.POST('/api/sftp/enable')))
    },
    invalidates
  })
  return (
    <Section title={t('access')} hint={t('access.hint')}>
      <CopyField label={t('command')} value={`sftp -P ${user.port} ${user.linuxUsername}@${user.host}`} />
      {credentials && (
        <>
          <CopyField label={t('password')} value={credentials.password} />
          {credentials.hostKeys.map((key) => (
            <CopyField key={key} label={t('hostKey')} value={key} />
          ))}
        </>
      )}
      <div className={classes.row}>
        {!credentials && (
          <Button loading={show.isPending} onClick={() => show.start()}>
            {t('show')}
          </Button>
        )}
        <Button variant="default" disabled={isUnavailable} loading={rotate.isPending} onClick={() => rotate.start()}>
          {t('rotate')}
        </Button>
        <Button variant="default" loading={toggle.isPending} onClick={() => toggle.start()}>
          {t(user.isEnabled ? 'disable' : 'enable')}
        </Button>
      </div>
    </Section>
  )
}
