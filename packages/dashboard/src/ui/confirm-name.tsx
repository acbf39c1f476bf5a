import { Button, Group, Modal, Stack, TextInput } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useMessages } from '../i18n/i18n.tsx'
import { shownName } from './shown-name.ts'
import { uiMessages } from './ui.messages.ts'

/** Ignores invisible characters and their visible replacements, which cannot be typed. */
const readable = (text: string) =>
  text.replaceAll(/[\u0000-\u001f\u007f\u200e\u200f\u202a-\u202e\u2066-\u2069\u2400-\u2421\ufffd]/g, '')

interface ConfirmNameProps {
  title: string
  children: ReactNode
  name: string
  action: string
  isPending: boolean
  onConfirm(): void
  onClose(): void
}

export function ConfirmName({ title, children, name, action, isPending, onConfirm, onClose }: ConfirmNameProps) {
  const t = useMessages(uiMessages)
  const [typed, setTyped] = useState('')
  const isTyped = typed !== '' && readable(typed) === readable(name)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isTyped && !isPending) onConfirm()
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      closeOnClickOutside={typed === ''}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <form onSubmit={submit}>
        <Stack gap="md">
          <div>{children}</div>
          <TextInput
            label={t('typeName', { name: shownName(name) })}
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            autoComplete="off"
            data-autofocus
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit" color="red" disabled={!isTyped} loading={isPending}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
