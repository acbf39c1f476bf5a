import { Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useMessages } from '../../i18n/i18n.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import classes from './explain.module.css'
import { explainMessages } from './explain.messages.ts'
import { explanationQuery } from './explain.queries.ts'
import { ExplanationResult } from './explanation-result.tsx'

export function ExplainPage() {
  const t = useMessages(explainMessages)
  const { host } = useSearch({ from: '/signed-in/site-check' })
  return (
    <>
      <PageHeader title={t('title')} facts={<span>{t('hint')}</span>} />
      <HostForm key={host} host={host ?? ''} />
      {host !== undefined && <Check key={`check ${host}`} host={host} />}
    </>
  )
}

function HostForm({ host }: { host: string }) {
  const t = useMessages(explainMessages)
  const navigate = useNavigate()
  const [text, setText] = useState(host)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const wanted = text.trim()
    if (wanted !== '') void navigate({ to: '/site-check', search: { host: wanted } })
  }
  return (
    <form className={classes.form} onSubmit={submit}>
      <TextInput
        className={classes.host!}
        label={t('host')}
        description={t('host.hint')}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        maxLength={253}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        dir="ltr"
      />
      <Button type="submit" disabled={text.trim() === '' || text.trim() === host}>
        {t('check')}
      </Button>
    </form>
  )
}

function Check({ host }: { host: string }) {
  const t = useMessages(explainMessages)
  const { data: explanation, error, isFetching, refetch } = useQuery(explanationQuery(host))
  if (error && !isFetching) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!explanation)
    return (
      <>
        <p role="status">{t('checking', { host })}</p>
        <RowsSkeleton rows={8} />
      </>
    )
  return <ExplanationResult explanation={explanation} isFetching={isFetching} onAgain={() => void refetch()} />
}
