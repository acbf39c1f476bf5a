import { Link } from '@tanstack/react-router'
import { useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { CutName } from '../../ui/cut-name.tsx'
import { Foreign } from '../../ui/foreign.tsx'
import { Time } from '../../ui/time.tsx'
import { type Area, areas } from './user-area.ts'
import { TwoFactorState, UserState } from './user-state.tsx'
import { UserUsage } from './user-use.tsx'
import { userMessages } from './users.messages.ts'
import classes from './users.module.css'
import type { ListedAccount } from './users.queries.ts'

export function UserTable({ area, users }: { area: Area; users: readonly ListedAccount[] }) {
  const t = useMessages(userMessages)
  return (
    <table className={`${card.table} ${card.cards} ${classes.table}`}>
      <thead>
        <tr>
          <th scope="col">{t('column.account')}</th>
          <th scope="col">{t('role')}</th>
          <th scope="col">{t('state')}</th>
          <th scope="col">{t('use')}</th>
          <th scope="col">{t('twoFactor')}</th>
          <th scope="col" className={card.spare}>
            {t('created')}
          </th>
        </tr>
      </thead>
      <tbody>
        {users.map((user) => (
          <tr key={user.id}>
            <td className={classes.account}>
              <Link to={areas[area].one} params={{ userId: user.id }} className={card.rowLink!}>
                <Foreign className={classes.person} title={user.name}>
                  {user.name}
                </Foreign>
              </Link>
              <span className={card.sub}>
                <CutName name={user.email} tail={14} />
              </span>
            </td>
            <td className={card.sub}>{t(`role.${user.role}`)}</td>
            <td>
              <UserState suspended={user.suspended} />
            </td>
            <td className={classes.useCell}>
              <UserUsage user={user} />
            </td>
            <td className={classes.labelled} data-label={t('twoFactor')}>
              <TwoFactorState totpEnabled={user.totpEnabled} role={user.role} />
            </td>
            <td className={`${card.sub} ${card.spare} ${classes.created}`}>
              <Time at={user.createdAt} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
