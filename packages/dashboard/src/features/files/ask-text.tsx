import { Button, Group, Modal, Stack, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useMessages } from '../../i18n/i18n.tsx'
import { uiMessages } from '../../ui/ui.messages.ts'
import { useOnce } from '../../ui/use-once.ts'
import { foldersKey } from './files.queries.ts'

interface AskTextProps {
  projectId: string
  title: string
  label: string
  hint?: string
  initial?: string
  action: string
  send(text: string): Promise<unknown>
  onDone?(text: string): void
  onClose(): void
}

export function AskText({ projectId, title, label, hint, initial = '', action, send, onDone, onClose }: AskTextProps) {
  const ui = useMessages(uiMessages)
  const client = useQueryClient()
  const [text, setText] = useState(initial)
  const sending = useOnce({
    mutationFn: send,
    onSuccess: async (_result, sent) => {
      await client.invalidateQueries({ queryKey: foldersKey(projectId) })
      onClose()
      onDone?.(sent)
    }
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    sending.mutate(text)
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      closeOnClickOutside={text === initial}
      closeButtonProps={{ 'aria-label': ui('close') }}
    >
      <form onSubmit={submit}>
        <Stack gap="md">
          <TextInput
            label={label}
            description={hint}
            value={text}
            error={sending.error?.message}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
            dir="ltr"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            required
            withAsterisk={false}
            data-autofocus
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {ui('cancel')}
            </Button>
            <Button type="submit" loading={sending.isPending}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
