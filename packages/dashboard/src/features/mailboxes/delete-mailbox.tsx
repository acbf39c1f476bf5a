import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { api, data, type Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { Section } from '../../ui/section.tsx'
import { useAct } from '../../ui/use-act.ts'
import { mailboxMessages } from './mailboxes.messages.ts'

const ConfirmName = lazy(() => import('../../ui/confirm-name.tsx').then((module) => ({ default: module.ConfirmName })))

export function DeleteMailbox({ mailbox: { id, address } }: { mailbox: Schema<'Mailbox'> }) {
  const t = useMessages(mailboxMessages)
  const navigate = useNavigate()
  const [isAsking, setAsking] = useState(false)
  const remove = useAct({
    run: () => data(api.DELETE('/api/mailboxes/{id}', { params: { path: { id } } })),
    stale: [
      ['mailboxes', 'list'],
      ['mailboxes', 'deleted']
    ],
    done: () => t('deleted', { address }),
    onDone: () => void navigate({ to: '/mail' })
  })
  return (
    <Section
      isDanger
      title={t('delete')}
      hint={t('delete.hint')}
      actions={
        <Button color="red" variant="light" onClick={() => setAsking(true)}>
          {t('delete')}
        </Button>
      }
    >
      {isAsking && (
        <Suspense fallback={null}>
          <ConfirmName
            title={t('delete')}
            name={address}
            action={t('delete')}
            isPending={remove.isPending}
            onConfirm={() => remove.start()}
            onClose={() => setAsking(false)}
          >
            {t('delete.hint')}
          </ConfirmName>
        </Suspense>
      )}
    </Section>
  )
}
