import { Button, NativeSelect, Stack, TextInput, useMantineColorScheme } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { UpdateUser } from '@panel/contract/accounts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api, data, type Schema } from '../../api/client.ts'
import { useI18n, useMessages } from '../../i18n/i18n.tsx'
import { locales } from '../../i18n/messages.ts'
import formClasses from '../../ui/form/form.module.css'
import { useContractForm } from '../../ui/form/use-contract-form.ts'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/section.tsx'
import { Time } from '../../ui/time.tsx'
import { meQuery } from '../auth/me.queries.ts'
import { accountMessages } from './account.messages.ts'
import { usePreference } from './use-preference.ts'

export function ProfileTab() {
  const { data: me } = useQuery(meQuery)
  if (!me) return null
  return (
    <>
      <Identity key={me.id} me={me} />
      <Choices me={me} />
    </>
  )
}

function Identity({ me }: { me: Schema<'User'> }) {
  const t = useMessages(accountMessages)
  const client = useQueryClient()
  // An email address can reset the password, so only an ADMIN may change their own.
  const mayChangeEmail = me.role === 'ADMIN'
  const { form, submit, isPending, failure } = useContractForm({
    schema: UpdateUser,
    initialValues: { name: me.name, ...(mayChangeEmail && { email: me.email }) },
    send: (body) => data(api.PATCH('/api/users/{id}', { params: { path: { id: me.id } }, body })),
    onSaved: (saved) => {
      client.setQueryData(meQuery.queryKey, saved)
      notifications.show({ message: t('saved'), role: 'status' })
    },
    fieldOfCode: { EMAIL_EXISTS: 'email' }
  })
  return (
    <Section title={t('identity')}>
      <form onSubmit={submit} noValidate className={formClasses.form}>
        <Stack gap="md">
          {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
          <TextInput label={t('name')} autoComplete="name" {...form.getInputProps('name')} />
          {mayChangeEmail ? (
            <TextInput label={t('email')} type="email" autoComplete="email" {...form.getInputProps('email')} />
          ) : (
            <TextInput label={t('email')} description={t('email.hint')} value={me.email} readOnly />
          )}
          <div>
            <Button type="submit" loading={isPending}>
              {t('save')}
            </Button>
          </div>
        </Stack>
      </form>
    </Section>
  )
}

const themes = ['light', 'dark', 'system'] as const
const browserZone = Intl.DateTimeFormat().resolvedOptions().timeZone

function Choices({ me }: { me: Schema<'User'> }) {
  const t = useMessages(accountMessages)
  const { locale } = useI18n()
  const { colorScheme } = useMantineColorScheme()
  const prefer = usePreference()
  const zones = [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone'), ...(me.timezone ? [me.timezone] : [])])]
  return (
    <Section title={t('choices')} hint={t('choices.hint')}>
      <Stack gap="md" className={formClasses.form!}>
        <NativeSelect
          label={t('language')}
          data={Object.entries(locales).map(([value, label]) => ({ value, label }))}
          value={locale}
          onChange={({ currentTarget }) => prefer({ locale: currentTarget.value })}
        />
        <NativeSelect
          label={t('theme')}
          data={themes.map((value) => ({ value, label: t(`theme.${value}`) }))}
          value={colorScheme === 'auto' ? 'system' : colorScheme}
          onChange={({ currentTarget }) => prefer({ theme: currentTarget.value as (typeof themes)[number] })}
        />
        <NativeSelect
          label={t('timezone')}
          data={[{ value: '', label: t('timezone.browser', { zone: browserZone }) }, ...zones]}
          value={me.timezone ?? ''}
          onChange={({ currentTarget }) => prefer({ timezone: currentTarget.value || null })}
        />
        <Example at={me.createdAt} />
      </Stack>
    </Section>
  )
}

function Example({ at }: { at: string }) {
  const t = useMessages(accountMessages)
  const { dateTime } = useI18n()
  return (
    <p className={formClasses.note}>
      {t('since')} {dateTime(at)} (<Time at={at} />)
    </p>
  )
}
