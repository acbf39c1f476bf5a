import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useI18n, useMessages } from '../../i18n/i18n.tsx'
import { auditMessages as actionMessages } from '../../ui/audit-action/audit-action.messages.ts'
import card from '../../ui/card.module.css'
import { CutName } from '../../ui/cut-name.tsx'
import { meQuery } from '../auth/me.queries.ts'
import { targetName, targetPage } from './audit-target.ts'
import { auditMessages } from './audit.messages.ts'
import type { Entry } from './audit.queries.ts'
import classes from './audit.module.css'

export function AuditTable({ entries }: { entries: readonly Entry[] }) {
  const t = useMessages(auditMessages)
  return (
    <table className={`${card.table} ${card.cards} ${classes.table}`}>
      <thead>
        <tr>
          <th scope="col">{t('action')}</th>
          <th scope="col">{t('time')}</th>
          <th scope="col">{t('actor')}</th>
          <th scope="col">{t('target')}</th>
          <th scope="col" className={card.spare}>
            {t('ip')}
          </th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <Row key={entry.id} entry={entry} />
        ))}
      </tbody>
    </table>
  )
}

function Row({ entry }: { entry: Entry }) {
  const t = useMessages(auditMessages)
  const actionText = useMessages(actionMessages)
  const { dateTime } = useI18n()
  return (
    <tr>
      <td>
        <Link
          to="."
          search={(before: Record<string, unknown>) => ({ ...before, d: entry.id })}
          className={card.rowLink!}
          title={entry.action}
        >
          {/* Unknown actions of a newer server show their code. */}
          {actionText(entry.action as Parameters<typeof actionText>[0])}
        </Link>
      </td>
      <td className={`${card.sub} ${classes.time}`}>
        <time dateTime={entry.createdAt}>{dateTime(entry.createdAt)}</time>
      </td>
      <td className={classes.who} data-label={t('actor')}>
        <Actor entry={entry} />
      </td>
      <td className={classes.who} data-label={t('target')}>
        <Target entry={entry} />
      </td>
      <td className={`${card.sub} ${card.spare} ${classes.ip}`} dir="ltr">
        {entry.ip ?? '–'}
      </td>
    </tr>
  )
}

function Actor({ entry: { actorId, actorEmail } }: { entry: Entry }) {
  const t = useMessages(auditMessages)
  if (actorId === null) return <span className={card.sub}>{t('nobody')}</span>
  if (actorEmail == null) return <CutName name={actorId} tail={14} />
  return (
    <Link to="/server/users/$userId" params={{ userId: actorId }} className={classes.link}>
      <CutName name={actorEmail} tail={14} />
    </Link>
  )
}

function Target({ entry }: { entry: Entry }) {
  const { data: me } = useQuery(meQuery)
  if (entry.targetId === null) return <span className={card.sub}>–</span>
  return (
    <Link
      {...(targetPage(entry, me?.id ?? '') ?? { to: '/server/audit', search: { target: entry.targetId } })}
      className={classes.link}
    >
      <CutName name={targetName(entry)} tail={14} />
    </Link>
  )
}
