import { useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { Foreign } from '../../ui/foreign.tsx'
import { Time } from '../../ui/time.tsx'
import { banMessages } from './bans.messages.ts'
import { type Ban, unban } from './bans.queries.ts'
import { RemovableTable } from './removable-table.tsx'

export function BanTable({ bans }: { bans: readonly Ban[] }) {
  const t = useMessages(banMessages)
  return (
    <RemovableTable
      columns={[
        { title: t('address'), cell: ({ address }) => <code>{address}</code> },
        { title: t('reason'), cell: (ban) => <Reason ban={ban} /> },
        { title: t('since'), cell: ({ bannedAt }) => <Time at={bannedAt} />, isSecondary: true },
        {
          title: t('until'),
          cell: ({ until }) => (until === null ? t('until.removed') : <Time at={until} />),
          isSecondary: true
        },
        { title: t('note'), cell: ({ note }) => <Foreign>{note}</Foreign> }
      ]}
      entries={bans}
      remove={unban}
      removeLabel={({ address }) => t('remove.one', { address })}
      removedMessage={({ address }) => t('removed', { address })}
    />
  )
}

function Reason({ ban: { reason, attempts } }: { ban: Ban }) {
  const t = useMessages(banMessages)
  return (
    <>
      {t(`reason.${reason}`)}
      {attempts > 0 && <span className={card.sub}> {t('attempts', { count: attempts })}</span>}
    </>
  )
}
