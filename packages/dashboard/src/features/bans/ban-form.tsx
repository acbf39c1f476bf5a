import { Button, Modal, NativeSelect, Stack, TextInput } from '@mantine/core'
import { CreateBan } from '@panel/contract/bans'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useMessages } from '../../i18n/i18n.tsx'
import { useContractForm } from '../../ui/form/use-contract-form.ts'
import { Notice } from '../../ui/notice.tsx'
import { uiMessages } from '../../ui/ui.messages.ts'
import { banMessages } from './bans.messages.ts'
import { ban } from './bans.queries.ts'

const durations = { HOUR: 3600, DAY: 86_400, WEEK: 604_800, FOREVER: null } as const
type Duration = keyof typeof durations

export function BanForm({ onClose }: { onClose(): void }) {
  const t = useMessages(banMessages)
  const ui = useMessages(uiMessages)
  const client = useQueryClient()
  const { form, submit, isPending, failure } = useContractForm({
    schema: CreateBan,
    initialValues: { address: '', seconds: durations.DAY as number | null, note: '' },
    send: ban,
    fieldOfCode: { ADDRESS_EXEMPT: 'address' },
    onSaved: async ({ address }) => {
      await client.invalidateQueries({ queryKey: ['firewall', 'bans'] })
      notifications.show({ message: t('added', { address }), role: 'status' })
      onClose()
    }
  })
  return (
    <Modal opened onClose={onClose} title={t('add')} closeButtonProps={{ 'aria-label': ui('close') }}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
          <TextInput
            label={t('address')}
            description={t('address.hint')}
            data-autofocus
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            {...form.getInputProps('address')}
          />
          <NativeSelect
            label={t('duration')}
            defaultValue={'DAY' satisfies Duration}
            data={(Object.keys(durations) as Duration[]).map((value) => ({ value, label: t(`duration.${value}`) }))}
            onChange={({ currentTarget: { value } }) => form.setFieldValue('seconds', durations[value as Duration])}
          />
          <TextInput label={t('note')} autoComplete="off" {...form.getInputProps('note')} />
          <Button type="submit" loading={isPending}>
            {t('add')}
          </Button>
        </Stack>
      </form>
    </Modal>
  )
}
