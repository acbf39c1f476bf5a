import { Button, Modal, NativeSelect, Stack, TextInput } from '@mantine/core'
import { PlanAccountRestore } from '@panel/contract/account-restores'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api, data } from '../../api/client.ts'
import { useI18n, useMessages } from '../../i18n/i18n.tsx'
import { useContractForm } from '../../ui/form/use-contract-form.ts'
import { Notice } from '../../ui/notice.tsx'
import { EmptyState, ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { uiMessages } from '../../ui/ui.messages.ts'
import { panelBackupsQuery } from './account-restores.queries.ts'
import { backupMessages } from './backups.messages.ts'
import type { Backup } from './backups.queries.ts'

interface PlanAccountDialogProps {
  onClose(): void
  onPlanned(id: string): void
}

/** Which account, from which backup of the panel. */
export function PlanAccountDialog({ onClose, onPlanned }: PlanAccountDialogProps) {
  const t = useMessages(backupMessages)
  const ui = useMessages(uiMessages)
  const { data: backups, error, refetch } = useQuery(panelBackupsQuery)
  return (
    <Modal opened onClose={onClose} title={t('account.restore')} closeButtonProps={{ 'aria-label': ui('close') }}>
      {error && !backups ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : !backups ? (
        <RowsSkeleton rows={2} height={41} />
      ) : backups.length === 0 ? (
        <EmptyState title={t('none')} hint={t('account.none.hint')} />
      ) : (
        <PlanForm
          backups={backups}
          onPlanned={(id) => {
            onPlanned(id)
            onClose()
          }}
        />
      )}
    </Modal>
  )
}

function PlanForm({ backups, onPlanned }: { backups: readonly Backup[]; onPlanned(id: string): void }) {
  const t = useMessages(backupMessages)
  const { dateTime } = useI18n()
  const client = useQueryClient()
  const { form, submit, isPending, failure } = useContractForm({
    schema: PlanAccountRestore,
    initialValues: { backupId: backups[0]!.id, email: '' },
    send: (body) => data(api.POST('/api/backups/account-restores', { body })),
    onSaved: async ({ id }) => {
      await client.invalidateQueries({ queryKey: ['backups', 'account-restores'] })
      onPlanned(id)
    }
  })
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <p>{t('account.restore.hint')}</p>
        {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
        <NativeSelect
          label={t('column.backup')}
          data={backups.map(({ id, createdAt, targetName }) => ({
            value: id,
            label: `${dateTime(createdAt)} · ${targetName}`
          }))}
          {...form.getInputProps('backupId')}
        />
        <TextInput
          label={t('account.email')}
          description={t('account.email.hint')}
          type="email"
          autoComplete="off"
          data-autofocus
          {...form.getInputProps('email')}
        />
        <Button type="submit" loading={isPending}>
          {t('account.plan')}
        </Button>
      </Stack>
    </form>
  )
}
