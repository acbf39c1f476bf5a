import { Button, Modal, NumberInput, Stack, TextInput } from '@mantine/core'
import { CreateMachine } from '@panel/contract/machines'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMessages } from '../../i18n/i18n.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import { useContractForm } from '../../ui/form/use-contract-form.ts'
import { Notice } from '../../ui/notice.tsx'
import { ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { uiMessages } from '../../ui/ui.messages.ts'
import { machineMessages } from './machines.messages.ts'
import { addMachine, machineKeyQuery, machinesKey } from './machines.queries.ts'

export function MachineForm({ onClose }: { onClose(): void }) {
  const t = useMessages(machineMessages)
  const ui = useMessages(uiMessages)
  const client = useQueryClient()
  const { data: key, error, refetch } = useQuery(machineKeyQuery)
  const { form, submit, isPending, failure } = useContractForm({
    schema: CreateMachine,
    initialValues: { name: '', host: '', port: 22, hostKey: '' },
    send: addMachine,
    onSaved: async () => {
      await client.invalidateQueries({ queryKey: machinesKey, exact: true })
      onClose()
    },
    fieldOfCode: { CONFLICT: 'name' }
  })
  return (
    <Modal
      opened
      size="lg"
      onClose={onClose}
      title={t('add')}
      closeOnClickOutside={!form.isDirty()}
      closeButtonProps={{ 'aria-label': ui('close') }}
    >
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
          <p>{t('add.hint')}</p>
          {error && !key && <ErrorState error={error} onRetry={() => void refetch()} />}
          {!key && !error && <RowsSkeleton rows={1} />}
          {key && <CopyField label={t('command')} value={key.command} />}
          <TextInput label={t('hostKey')} description={t('hostKey.hint')} {...form.getInputProps('hostKey')} />
          <TextInput label={t('address')} description={t('address.hint')} {...form.getInputProps('host')} />
          <NumberInput label={t('port')} min={1} max={65_535} allowDecimal={false} {...form.getInputProps('port')} />
          <TextInput label={t('name')} description={t('name.hint')} {...form.getInputProps('name')} />
          <Button type="submit" loading={isPending}>
            {t('add')}
          </Button>
        </Stack>
      </form>
    </Modal>
  )
}
