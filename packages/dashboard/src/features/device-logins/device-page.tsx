import { Button, Group, Stack, TextInput } from '@mantine/core'
import { Link, useSearch } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { api, data, isApiError, type Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Foreign } from '../../ui/foreign.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Section } from '../../ui/section.tsx'
import { ErrorText } from '../../ui/settings-link.tsx'
import { useOnce } from '../../ui/use-once.ts'
import { deviceLoginMessages } from './device-logins.messages.ts'

/** The code of a link is filled in but not answered: the user compares it with the terminal first. */
export function DevicePage() {
  const t = useMessages(deviceLoginMessages)
  const { code = '' } = useSearch({ from: '/signed-in/device' })
  const [userCode, setUserCode] = useState(code)
  const find = useOnce({ mutationFn: () => data(api.POST('/api/auth/device/find', { body: { userCode } })) })
  const answer = useOnce({
    mutationFn: (approve: boolean) => data(api.POST('/api/auth/device/answer', { body: { userCode, approve } }))
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    find.mutate()
  }
  const error = find.error ?? answer.error
  const isAnswered = answer.isSuccess
  return (
    <>
      <PageHeader title={t('title')} />
      <Section title={userCode === '' || !find.data ? t('code') : userCode} hint={t('hint')}>
        <Stack gap="md" p="md" maw="36rem">
          {error && (
            <Notice tone="bad">
              {isApiError(error, 'LINK_INVALID', 'VALIDATION_ERROR') ? t('invalid') : <ErrorText error={error} />}
            </Notice>
          )}
          {isAnswered && (
            <Notice tone={answer.variables ? 'ok' : 'idle'} action={<Link to="/account/tokens">{t('tokens')}</Link>}>
              {t(answer.variables ? 'approved' : 'denied')}
            </Notice>
          )}
          {!find.data && (
            <form onSubmit={submit} noValidate>
              <Stack gap="md">
                <TextInput
                  label={t('code')}
                  description={t('code.hint')}
                  autoComplete="off"
                  autoFocus
                  dir="ltr"
                  value={userCode}
                  onChange={({ currentTarget }) => setUserCode(currentTarget.value)}
                />
                <Button type="submit" loading={find.isPending}>
                  {t('continue')}
                </Button>
              </Stack>
            </form>
          )}
          {find.data && !isAnswered && (
            <>
              <Requested login={find.data} />
              <Notice tone="warn">{t('warning')}</Notice>
              <Group>
                <Button loading={answer.isPending} onClick={() => answer.mutate(true)}>
                  {t('approve')}
                </Button>
                <Button variant="default" disabled={answer.isPending} onClick={() => answer.mutate(false)}>
                  {t('deny')}
                </Button>
              </Group>
            </>
          )}
        </Stack>
      </Section>
    </>
  )
}

function Requested({ login: { name, ip, scope, tokenExpiresInDays } }: { login: Schema<'DeviceLogin'> }) {
  const t = useMessages(deviceLoginMessages)
  return (
    <Facts
      rows={[
        { name: t('name'), value: <Foreign>{name}</Foreign> },
        { name: t('address'), value: ip ?? t('unknown') },
        { name: t('allowed'), value: `${t(`scope.${scope}`)}: ${t(`scope.${scope}.hint`)}` },
        { name: t('lifetime'), value: t('days', { count: tokenExpiresInDays }) }
      ]}
    />
  )
}
