import { Link } from '@tanstack/react-router'
import { useI18n, useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { CutName } from '../../ui/cut-name.tsx'
import { auditMessages } from './audit.messages.ts'
import type { Entry } from './audit.queries.ts'
import classes from './audit.module.css'

export function AuditTable({ entries }: { entries: readonly Entry[] }) {
  const t = useMessages(auditMessages)
  const { dateTime } = useI18n()
  return (
    <table className={`${card.table} ${card.cards} ${classes.table}`}>
      <thead>
        <tr>
          <th scope="col">{t('action')}</th>
          <th scope="col">{t('time')}</th>
          <th scope="col">{t('actor')}</th>
          <th scope="col">{t('target')}</th>
          <th scope="col">{t('ip')}</th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <tr key={entry.id}>
            <td>
              <Link
                to="."
                search={(before: Record<string, unknown>) => ({ ...before, d: entry.id })}
                className={card.rowLink!}
              >
                <code dir="ltr">{entry.action}</code>
              </Link>
            </td>
            <td className={`${card.sub} ${classes.time}`}>
              <time dateTime={entry.createdAt}>{dateTime(entry.createdAt)}</time>
            </td>
            <td className={classes.who} data-label={t('actor')}>
              {entry.actorId === null ? (
                <span className={card.sub}>{t('nobody')}</span>
              ) : (
                <CutName name={entry.actorEmail ?? entry.actorId} tail={14} />
              )}
            </td>
            <td className={classes.who} data-label={t('target')}>
              {entry.targetId === null ? (
                <span className={card.sub}>–</span>
              ) : (
                <CutName name={entry.targetEmail ?? entry.targetId} tail={14} />
              )}
            </td>
            <td className={`${card.sub} ${classes.ip}`} dir="ltr">
              {entry.ip ?? '–'}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
