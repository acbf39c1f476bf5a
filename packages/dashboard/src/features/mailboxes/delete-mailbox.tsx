import { useNavigate } from '@tanstack/react-router'
import { api, data, type Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { DangerSection } from '../../ui/danger-section.tsx'
import { mailboxMessages } from './mailboxes.messages.ts'

export function DeleteMailbox({ mailbox: { id, address } }: { mailbox: Schema<'Mailbox'> }) {
  const t = useMessages(mailboxMessages)
  const navigate = useNavigate()
  return (
    <DangerSection
      title={t('delete')}
      hint={t('delete.hint')}
      action={t('delete')}
      name={address}
      run={() => data(api.DELETE('/api/mailboxes/{id}', { params: { path: { id } } }))}
      invalidates={[
        ['mailboxes', 'list'],
        ['mailboxes', 'deleted']
      ]}
      done={() => t('deleted', { address })}
      onDone={() => void navigate({ to: '/mail' })}
    />
  )
}
