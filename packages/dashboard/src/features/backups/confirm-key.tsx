import { Button, Modal, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useMessages } from '../../i18n/i18n.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { uiMessages } from '../../ui/ui.messages.ts'
import { useAction } from '../../ui/use-action.ts'
import { backupMessages } from './backups.messages.ts'
import { confirmKey } from './backup-actions.ts'

interface ConfirmKeyProps {
  target: { id: string; name: string }
  /** Only just after the target was added. */
  shownKey?: string
  onClose(): void
}

export function ConfirmKey({ target, shownKey, onClose }: ConfirmKeyProps) {
  const t = useMessages(backupMessages)
  const ui = useMessages(uiMessages)
  const [typed, setTyped] = useState('')
  const confirm = useAction({
    run: (key: string) => confirmKey(target.id, key),
    invalidates: [['backups']],
    done: () => t('key.confirmed'),
    onDone: onClose
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (typed !== '') confirm.start(typed)
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('key.title', { name: target.name })}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': ui('close') }}
    >
      <form onSubmit={submit}>
        <Stack gap="md">
          {shownKey !== undefined && <Notice tone="warn">{t('key.once')}</Notice>}
          {shownKey !== undefined && <CopyField label={t('key')} value={shownKey} />}
          <TextInput
            label={t('key.again')}
            description={t('key.again.hint')}
            autoComplete="off"
            spellCheck={false}
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            data-autofocus
          />
          <Button type="submit" disabled={typed === ''} loading={confirm.isPending}>
            {t('key.confirm')}
          </Button>
        </Stack>
      </form>
    </Modal>
  )
}
