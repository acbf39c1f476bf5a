import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMessages } from '../../i18n/i18n.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Foreign } from '../../ui/foreign.tsx'
import { Section } from '../../ui/section.tsx'
import { Time } from '../../ui/time.tsx'
import { TwoFactorState } from './user-state.tsx'
import { userMessages } from './users.messages.ts'
import classes from './users.module.css'
import { type Account, userQuery } from './users.queries.ts'

export function UserFacts({ user, isAdmin }: { user: Account; isAdmin: boolean }) {
  const t = useMessages(userMessages)
  return (
    <Section
      title={t('facts')}
      actions={
        isAdmin && (
          <div className={classes.links}>
            <Link to="/server/audit" search={{ actor: user.id }}>
              {t('audit.by')}
            </Link>
            <Link to="/server/audit" search={{ target: user.id }}>
              {t('audit.about')}
            </Link>
          </div>
        )
      }
    >
      <Facts
        rows={[
          { name: t('twoFactor'), value: <TwoFactorState totpEnabled={user.totpEnabled} role={user.role} /> },
          { name: t('created'), value: <Time at={user.createdAt} /> },
          ...(isAdmin && user.parentId !== null ? [{ name: t('parent'), value: <Parent id={user.parentId} /> }] : []),
          { name: t('id'), value: <code>{user.id}</code> }
        ]}
      />
    </Section>
  )
}

/** The parent account may have been deleted. */
function Parent({ id }: { id: string }) {
  const { data } = useQuery({ ...userQuery(id), retry: false })
  if (!data) return <code>{id}</code>
  return (
    <Link to="/server/users/$userId" params={{ userId: id }}>
      <Foreign>{data.name}</Foreign>
    </Link>
  )
}
