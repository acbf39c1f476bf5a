import { Button, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { type SyntheticEvent, useState } from 'react'
import { useMessages } from '../../i18n/i18n.tsx'
import classes from './overview.module.css'
import { overviewMessages } from './overview.messages.ts'

interface FirstDeploymentProps {
  ask(event: SyntheticEvent, make: () => void): void
}

export function FirstDeployment({ ask }: FirstDeploymentProps) {
  const t = useMessages(overviewMessages)
  const navigate = useNavigate()
  const [url, setUrl] = useState('')
  const inspect = () =>
    void navigate({ to: '/projects/new', search: { url: url.trim() }, state: { isRequested: true } })
  return (
    <form
      className={classes.repository}
      onSubmit={(event) => {
        event.preventDefault()
        ask(event, inspect)
      }}
    >
      <TextInput
        label={t('newest.url')}
        placeholder="https://github.com/owner/repository"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        dir="ltr"
        value={url}
        onChange={({ currentTarget }) => setUrl(currentTarget.value)}
      />
      <Button type="submit" variant="default" disabled={url.trim() === ''}>
        {t('newest.inspect')}
      </Button>
    </form>
  )
}
