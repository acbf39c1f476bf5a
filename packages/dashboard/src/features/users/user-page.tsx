import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useMessages } from '../../i18n/i18n.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Section } from '../../ui/section.tsx'
import { ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { meQuery } from '../auth/me.queries.ts'
import { DiskHistory } from './disk-history.tsx'
import { QuotaBars } from './quota-bars.tsx'
import { UserActions } from './user-actions.tsx'
import { type Area, areas } from './user-area.ts'
import { UserDanger } from './user-danger.tsx'
import { UserFacts } from './user-facts.tsx'
import { UserIdentity } from './user-person.tsx'
import { UserQuotas } from './user-quotas.tsx'
import { UserRights } from './user-rights.tsx'
import { UserState } from './user-state.tsx'
import { userMessages } from './users.messages.ts'
import { userQuery } from './users.queries.ts'

export function UserPage() {
  return <OneUser area="users" id={useParams({ from: '/signed-in/server/users/$userId' }).userId} />
}

export function CustomerPage() {
  return <OneUser area="customers" id={useParams({ from: '/signed-in/customers/$userId' }).userId} />
}

function OneUser({ area, id }: { area: Area; id: string }) {
  const t = useMessages(userMessages)
  const { data: me } = useQuery(meQuery)
  const { data: user, error, refetch } = useQuery(userQuery(id))
  if (error && !user) return <ErrorState isPage error={error} onRetry={() => void refetch()} />
  if (!user || !me) return <RowsSkeleton />
  const isAdmin = me.role === 'ADMIN'
  const isSelf = me.id === user.id
  const sharesOut = user.role === 'RESELLER'
  return (
    <>
      <PageHeader
        title={user.name}
        crumbs={[{ label: t(area), link: { to: areas[area].list } }]}
        badge={<UserState suspended={user.suspended} />}
        facts={
          <>
            <span>{t(`role.${user.role}`)}</span>
            <span dir="ltr">{user.email}</span>
          </>
        }
      />
      {user.suspended && <Notice tone="warn">{t('suspended.now')}</Notice>}
      <Section
        title={t(sharesOut ? 'allocation' : 'usage')}
        hint={t(sharesOut ? 'allocation.hint' : 'usage.hint')}
        actions={
          sharesOut &&
          isAdmin && (
            <Link to="/server/users" search={{ below: user.id }}>
              {t('below')}
            </Link>
          )
        }
      >
        <QuotaBars id={user.id} />
      </Section>
      <DiskHistory id={user.id} />
      <UserFacts user={user} isAdmin={isAdmin} />
      {(isAdmin || me.role === 'RESELLER') && (isAdmin || !isSelf) && (
        <UserQuotas key={`quotas ${user.id}`} user={user} isAdmin={isAdmin} />
      )}
      <UserIdentity key={`person ${user.id}`} user={user} mayChangeEmail={isAdmin || !isSelf} />
      {isAdmin && <UserRights key={`rights ${user.role} ${user.permissions.join()}`} user={user} />}
      {!isSelf && (
        <>
          <UserActions user={user} isAdmin={isAdmin} />
          <UserDanger area={area} user={user} isAdmin={isAdmin} />
        </>
      )}
    </>
  )
}
