import { Button } from '@mantine/core'
import { useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { Foreign } from '../../ui/foreign.tsx'
import { Time } from '../../ui/time.tsx'
import { useAction } from '../../ui/use-action.ts'
import { banMessages } from './bans.messages.ts'
import { type Ban, unban } from './bans.queries.ts'

export function BanTable({ bans }: { bans: readonly Ban[] }) {
  const t = useMessages(banMessages)
  return (
    <table className={`${card.table} ${card.cards}`}>
      <thead>
        <tr>
          <th scope="col">{t('address')}</th>
          <th scope="col">{t('reason')}</th>
          <th scope="col">{t('since')}</th>
          <th scope="col">{t('until')}</th>
          <th scope="col">{t('note')}</th>
          <td />
        </tr>
      </thead>
      <tbody>
        {bans.map((ban) => (
          <Row key={ban.id} ban={ban} />
        ))}
      </tbody>
    </table>
  )
}

function Row({ ban }: { ban: Ban }) {
  const t = useMessages(banMessages)
  const { address, reason, attempts, bannedAt, until, note } = ban
  const removing = useAction({
    run: unban,
    invalidates: [['firewall', 'bans']],
    done: () => t('removed', { address })
  })
  return (
    <tr>
      <td>
        <code>{address}</code>
      </td>
      <td>
        {t(`reason.${reason}`)}
        {attempts > 0 && <span className={card.sub}> {t('attempts', { count: attempts })}</span>}
      </td>
      <td className={card.sub}>
        <Time at={bannedAt} />
      </td>
      <td className={card.sub}>{until === null ? t('until.removed') : <Time at={until} />}</td>
      <td>
        <Foreign>{note}</Foreign>
      </td>
      <td className={card.end}>
        <Button
          size="compact-sm"
          variant="default"
          loading={removing.isPending}
          aria-label={t('remove.one', { address })}
          onClick={() => removing.start(ban)}
        >
          {t('remove')}
        </Button>
      </td>
    </tr>
  )
}
