import { Link } from '@tanstack/react-router'
import type { Schema } from '../../api/client.ts'
import { useI18n, useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { CutName } from '../../ui/cut-name.tsx'
import { MailboxStatus } from './mailbox-status.tsx'
import { MailboxUsage } from './mailbox-usage.tsx'
import classes from './mailboxes.module.css'
import { mailboxMessages } from './mailboxes.messages.ts'

export function MailboxTable({ mailboxes }: { mailboxes: readonly Schema<'Mailbox'>[] }) {
  const t = useMessages(mailboxMessages)
  const { number } = useI18n()
  return (
    <table className={`${card.table} ${card.cards} ${classes.table}`}>
      <thead>
        <tr>
          <th scope="col">{t('column.address')}</th>
          <th scope="col">{t('column.state')}</th>
          <th scope="col">{t('column.usage')}</th>
          <th scope="col" className={`${card.end} ${classes.wide}`}>
            {t('column.messages')}
          </th>
        </tr>
      </thead>
      <tbody>
        {mailboxes.map((mailbox) => (
          <tr key={mailbox.id}>
            <td className={classes.name}>
              <Link to="/mail/$mailboxId" params={{ mailboxId: mailbox.id }} className={card.rowLink!}>
                <CutName name={mailbox.address} tail={16} />
              </Link>
            </td>
            <td>
              <MailboxStatus mailbox={mailbox} />
            </td>
            <td className={classes.usage}>
              <MailboxUsage mailbox={mailbox} />
            </td>
            <td className={`${card.end} ${card.sub} ${classes.wide}`}>
              {mailbox.usage === null ? '–' : number(mailbox.usage.messages)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
