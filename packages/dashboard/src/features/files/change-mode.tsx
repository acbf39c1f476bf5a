import { Button, Group, Modal, Stack, TextInput } from '@mantine/core'
import { ChangeMode } from '@panel/contract/files'
import { useQueryClient } from '@tanstack/react-query'
import { api, data } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { useContractForm } from '../../ui/form/use-contract-form.ts'
import { Notice } from '../../ui/notice.tsx'
import { shownName } from '../../ui/shown-name.ts'
import { uiMessages } from '../../ui/ui.messages.ts'
import { fileMessages } from './files.messages.ts'
import { type FileNode, foldersKey } from './files.queries.ts'

const usual = ['644', '640', '600', '755', '750', '700']

interface ChangeModeProps {
  projectId: string
  node: FileNode
  onClose(): void
}

export function ChangeModeDialog({ projectId, node: { name, path, mode }, onClose }: ChangeModeProps) {
  const t = useMessages(fileMessages)
  const ui = useMessages(uiMessages)
  const client = useQueryClient()
  const { form, submit, isPending, failure } = useContractForm({
    schema: ChangeMode,
    initialValues: { path, mode: mode.slice(-3) },
    send: (body) => data(api.POST('/api/files/{id}/chmod', { params: { path: { id: projectId } }, body })),
    onSaved: async () => {
      await client.invalidateQueries({ queryKey: foldersKey(projectId) })
      onClose()
    }
  })
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('chmod.title', { name: shownName(name) })}
      closeButtonProps={{ 'aria-label': ui('close') }}
    >
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
          <TextInput
            label={t('mode')}
            description={t('chmod.hint')}
            autoComplete="off"
            inputMode="numeric"
            data-autofocus
            {...form.getInputProps('mode')}
            key={form.key('mode')}
          />
          <Group gap="xs" role="group" aria-label={t('chmod.usual')}>
            {usual.map((digits) => (
              <Button
                key={digits}
                size="compact-sm"
                variant="default"
                onClick={() => form.setFieldValue('mode', digits)}
              >
                {digits}
              </Button>
            ))}
          </Group>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {ui('cancel')}
            </Button>
            <Button type="submit" loading={isPending}>
              {t('chmod')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
