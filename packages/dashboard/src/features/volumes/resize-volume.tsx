import { Button, Modal, NumberInput, Stack } from '@mantine/core'
import { ResizeVolume } from '@panel/contract/volumes'
import { useQueryClient } from '@tanstack/react-query'
import { useMessages } from '../../i18n/i18n.tsx'
import { useContractForm } from '../../ui/form/use-contract-form.ts'
import { Notice } from '../../ui/notice.tsx'
import { uiMessages } from '../../ui/ui.messages.ts'
import { volumeMessages } from './volumes.messages.ts'
import { type ProjectVolume, resizeVolume, volumesKey } from './volumes.queries.ts'

interface ResizeVolumeProps {
  projectId: string
  volume: ProjectVolume
  onClose(): void
}

export function ResizeVolumeForm({ projectId, volume: { name, sizeMb }, onClose }: ResizeVolumeProps) {
  const t = useMessages(volumeMessages)
  const ui = useMessages(uiMessages)
  const client = useQueryClient()
  const { form, submit, isPending, failure } = useContractForm({
    schema: ResizeVolume,
    initialValues: { sizeMb },
    send: (values) => resizeVolume(projectId, name, values.sizeMb),
    onSaved: async () => {
      await client.invalidateQueries({ queryKey: volumesKey(projectId) })
      onClose()
    }
  })
  return (
    <Modal opened onClose={onClose} title={t('resize', { name })} closeButtonProps={{ 'aria-label': ui('close') }}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
          <NumberInput
            label={t('size')}
            description={t('size.hint')}
            min={1}
            allowDecimal={false}
            data-autofocus
            {...form.getInputProps('sizeMb')}
          />
          <Button type="submit" loading={isPending}>
            {t('save')}
          </Button>
        </Stack>
      </form>
    </Modal>
  )
}
