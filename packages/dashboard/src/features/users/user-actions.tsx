import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { api, data } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { Section } from '../../ui/section.tsx'
import { useAction } from '../../ui/use-action.ts'
import { userMessages } from './users.messages.ts'
import classes from './users.module.css'
import type { Account } from './users.queries.ts'

export function UserActions({ user, isAdmin }: { user: Account; isAdmin: boolean }) {
  const t = useMessages(userMessages)
  const params = { path: { id: user.id } }
  const invalidates = [['users']]
  const suspend = useAction({
    run: () =>
      user.suspended
        ? data(api.POST('/api/users/{id}/resume', { params }))
        : data(api.POST('/api/users/{id}/suspend', { params })),
    invalidates,
    done: ({ suspended }) => t(suspended ? 'suspend.done' : 'resume.done')
  })
  const endSessions = useAction({
    run: () => data(api.DELETE('/api/users/{id}/sessions', { params })),
    invalidates: [],
    done: () => t('sessions.done')
  })
  const reset = useAction({
    run: () => data(api.POST('/api/users/{id}/2fa/reset', { params })),
    invalidates,
    done: () => t('reset.done')
  })
  const verb = user.suspended ? 'resume' : 'suspend'
  return (
    <Section title={t('acts')}>
      <div className={classes.acts}>
        <Action title={t(verb)} hint={t(`${verb}.hint`)}>
          <Button variant="default" loading={suspend.isPending} onClick={() => suspend.start()}>
            {t(verb)}
          </Button>
        </Action>
        {isAdmin && (
          <Action title={t('sessions')} hint={t('sessions.hint')}>
            <Button variant="default" loading={endSessions.isPending} onClick={() => endSessions.start()}>
              {t('sessions')}
            </Button>
          </Action>
        )}
        {isAdmin && user.totpEnabled && (
          <Action title={t('reset')} hint={t('reset.hint')}>
            <Button variant="default" loading={reset.isPending} onClick={() => reset.start()}>
              {t('reset')}
            </Button>
          </Action>
        )}
      </div>
    </Section>
  )
}

function Action({ title, hint, children }: { title: string; hint: string; children: ReactNode }) {
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
