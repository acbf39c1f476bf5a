import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { api, data } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { Section } from '../../ui/section.tsx'
import { useAct } from '../../ui/use-act.ts'
import { userMessages } from './users.messages.ts'
import classes from './users.module.css'
import type { Account } from './users.queries.ts'

/** Each says what it does before it is pressed. */
export function UserActs({ user, isAdmin }: { user: Account; isAdmin: boolean }) {
  const t = useMessages(userMessages)
  const params = { path: { id: user.id } }
  const stale = [['users']]
  const suspend = useAct({
    run: () =>
      user.suspended
        ? data(api.POST('/api/users/{id}/resume', { params }))
        : data(api.POST('/api/users/{id}/suspend', { params })),
    stale,
    done: ({ suspended }) => t(suspended ? 'suspend.done' : 'resume.done')
  })
  const endSessions = useAct({
    run: () => data(api.DELETE('/api/users/{id}/sessions', { params })),
    stale: [],
    done: () => t('sessions.done')
  })
  const reset = useAct({
    run: () => data(api.POST('/api/users/{id}/2fa/reset', { params })),
    stale,
    done: () => t('reset.done')
  })
  const verb = user.suspended ? 'resume' : 'suspend'
  return (
    <Section title={t('acts')}>
      <div className={classes.acts}>
        <Act title={t(verb)} hint={t(`${verb}.hint`)}>
          <Button variant="default" loading={suspend.isPending} onClick={() => suspend.start()}>
            {t(verb)}
          </Button>
        </Act>
        {isAdmin && (
          <Act title={t('sessions')} hint={t('sessions.hint')}>
            <Button variant="default" loading={endSessions.isPending} onClick={() => endSessions.start()}>
              {t('sessions')}
            </Button>
          </Act>
        )}
        {isAdmin && user.totpEnabled && (
          <Act title={t('reset')} hint={t('reset.hint')}>
            <Button variant="default" loading={reset.isPending} onClick={() => reset.start()}>
              {t('reset')}
            </Button>
          </Act>
        )}
      </div>
    </Section>
  )
}

function Act({ title, hint, children }: { title: string; hint: string; children: ReactNode }) {
  return (
    <div>
      <div>
        <h3>{title}</h3>
        <p>{hint}</p>
      </div>
      {children}
    </div>
  )
}
