import { Button, TextInput } from '@mantine/core'
import type { ComponentProps } from 'react'
import { useMessages } from '../../i18n/i18n.tsx'
import { mailboxMessages } from './mailboxes.messages.ts'

interface PasswordFieldProps extends ComponentProps<typeof TextInput> {
  onAnother(): void
}

/** Not masked, because it is handed to another person. */
export function PasswordField({ onAnother, ...field }: PasswordFieldProps) {
  const t = useMessages(mailboxMessages)
  return (
    <TextInput
      label={t('password')}
      description={t('password.hint')}
      autoComplete="new-password"
      autoCapitalize="none"
      spellCheck={false}
      {...field}
      rightSectionWidth="7.5rem"
      rightSection={
        <Button variant="subtle" size="compact-xs" onClick={onAnother}>
          {t('password.another')}
        </Button>
      }
    />
  )
}
