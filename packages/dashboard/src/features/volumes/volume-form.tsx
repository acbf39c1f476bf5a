import { Button, Checkbox, Modal, NumberInput, Stack, TextInput } from '@mantine/core'
import { CreateVolume } from '@panel/contract/volumes'
import { useQueryClient } from '@tanstack/react-query'
import { useMessages } from '../../i18n/i18n.tsx'
import { useContractForm } from '../../ui/form/use-contract-form.ts'
import { Notice } from '../../ui/notice.tsx'
import { uiMessages } from '../../ui/ui.messages.ts'
import { volumeMessages } from './volumes.messages.ts'
import { createVolume, volumesKey } from './volumes.queries.ts'

export function VolumeForm({ projectId, onClose }: { projectId: string; onClose(): void }) {
  const t = useMessages(volumeMessages)
  const ui = useMessages(uiMessages)
  const client = useQueryClient()
  const { form, submit, isPending, failure } = useContractForm({
    schema: CreateVolume,
    initialValues: { name: '', path: '', sizeMb: 1024, overCode: false },
    send: (values) => createVolume(projectId, values),
    onSaved: async () => {
      await client.invalidateQueries({ queryKey: volumesKey(projectId) })
      onClose()
    }
  })
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('add')}
      closeOnClickOutside={!form.isDirty()}
      closeButtonProps={{ 'aria-label': ui('close') }}
    >
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
          <TextInput label={t('name')} autoComplete="off" data-autofocus {...form.getInputProps('name')} />
          <TextInput
            label={t('path')}
            description={t('path.hint')}
            autoComplete="off"
            spellCheck={false}
            {...form.getInputProps('path')}
          />
          <NumberInput
            label={t('size')}
            description={t('size.hint')}
            min={1}
            allowDecimal={false}
            {...form.getInputProps('sizeMb')}
          />
          <Checkbox
            label={t('overCode')}
            description={t('overCode.hint')}
            {...form.getInputProps('overCode', { type: 'checkbox' })}
          />
          <Button type="submit" loading={isPending}>
            {t('add')}
          </Button>
        </Stack>
      </form>
    </Modal>
  )
}
