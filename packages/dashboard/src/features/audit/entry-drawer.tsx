import { Drawer } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useI18n, useMessages } from '../../i18n/i18n.tsx'
import { auditMessages as actionMessages } from '../../ui/audit-action/audit-action.messages.ts'
import { Facts } from '../../ui/facts.tsx'
import { spelledOut } from '../../ui/plain-text.ts'
import { uiMessages } from '../../ui/ui.messages.ts'
import { meQuery } from '../auth/me.queries.ts'
import { targetName, targetPage } from './audit-target.ts'
import { auditMessages } from './audit.messages.ts'
import type { Entry } from './audit.queries.ts'
import classes from './audit.module.css'

export function EntryDrawer({ entry }: { entry: Entry }) {
  const t = useMessages(auditMessages)
  const ui = useMessages(uiMessages)
  const actionText = useMessages(actionMessages)
  const { dateTime } = useI18n()
  const navigate = useNavigate({ from: '/server/audit' })
  const { id, action, actorId, actorEmail, targetId, ip, userAgent, metadata, createdAt } = entry
  return (
    <Drawer
      opened
      position="right"
      size="md"
      title={actionText(action as Parameters<typeof actionText>[0])}
      onClose={() => void navigate({ search: (before) => ({ ...before, d: undefined }) })}
      closeButtonProps={{ 'aria-label': ui('close') }}
    >
      <div className={classes.drawer}>
        <Facts
          rows={[
            { name: t('entry'), value: id },
            { name: t('action'), value: <code dir="ltr">{action}</code> },
            { name: t('time'), value: <time dateTime={createdAt}>{`${dateTime(createdAt)} (${createdAt})`}</time> },
            { name: t('actor'), value: <Who id={actorId} email={actorEmail} otherwise={t('nobody')} /> },
            { name: t('target'), value: <Target entry={entry} /> },
            { name: t('ip'), value: <span dir="ltr">{ip ?? '–'}</span> },
            { name: t('userAgent'), value: <bdi>{spelledOut(userAgent ?? '–')}</bdi> }
          ]}
        />
        <pre className={classes.metadata} dir="ltr" tabIndex={0} aria-label={t('metadata')}>
          {spelledOut(JSON.stringify(metadata, null, 2))}
        </pre>
        <nav className={classes.links} aria-label={t('more')}>
          {actorId !== null && (
            <Link to="/server/audit" search={{ actor: actorId }}>
              {t('only.actor')}
            </Link>
          )}
          {targetId !== null && (
            <Link to="/server/audit" search={{ target: targetId }}>
              {t('only.target')}
            </Link>
          )}
          <Link to="/server/audit" search={{ action }}>
            {t('only.action')}
          </Link>
        </nav>
      </div>
    </Drawer>
  )
}

function Target({ entry }: { entry: Entry }) {
  const { data: me } = useQuery(meQuery)
  const page = targetPage(entry, me?.id ?? '')
  const name = spelledOut(targetName(entry))
  return page === undefined ? <code dir="ltr">{name}</code> : <Link {...page}>{name}</Link>
}

interface WhoProps {
  id: string | null
  email: string | null | undefined
  otherwise: string
}

function Who({ id, email, otherwise }: WhoProps) {
  if (id === null) return otherwise
  if (email === null || email === undefined) return <code>{id}</code>
  return (
    <Link to="/server/users/$userId" params={{ userId: id }} dir="ltr">
      {email}
    </Link>
  )
}
