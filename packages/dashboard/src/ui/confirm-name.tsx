import { Button, Group, Modal, Stack, TextInput } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useMessages } from '../i18n/i18n.tsx'
import { uiMessages } from './ui.messages.ts'

interface ConfirmNameProps {
  title: string
  /** What is lost. */
  children: ReactNode
  /** To be typed. */
  name: string
  action: string
  isPending: boolean
  onConfirm(): void
  onClose(): void
}

/** Before what cannot come back: the button is off until the name stands there. */
export function ConfirmName({ title, children, name, action, isPending, onConfirm, onClose }: ConfirmNameProps) {
  const t = useMessages(uiMessages)
  const [typed, setTyped] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (typed === name && !isPending) onConfirm()
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
            label={t('typeName', { name })}
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            autoComplete="off"
            data-autofocus
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit" color="red" disabled={typed !== name} loading={isPending}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
