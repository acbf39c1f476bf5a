import { Button, Group, Stack, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { ChangeSettings } from '@panel/contract/settings'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMessages } from '../../i18n/i18n.tsx'
import formClasses from '../../ui/form/form.module.css'
import { useContractForm } from '../../ui/form/use-contract-form.ts'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/section.tsx'
import { RowsSkeleton } from '../../ui/states.tsx'
import { changeSettings, type Setting, settingsQuery } from '../settings/settings.queries.ts'
import { serverDiskMessages } from './server-disk.messages.ts'
import { serverDiskQuery } from './server-disk.queries.ts'

const names = [
  'KEEP_RELEASES',
  'IMAGE_DISK_BUDGET',
  'BUILD_CACHE_DAYS',
  'ALERT_DISK_PERCENT',
  'ALERT_DISK_DAYS'
] as const

export function RetentionSection() {
  const t = useMessages(serverDiskMessages)
  const { data } = useQuery(settingsQuery)
  const settings = names.flatMap((name) => data?.variables?.find((variable) => variable.name === name) ?? [])
  return (
    <Section title={t('retention')} hint={t('retention.hint')}>
      {settings.length === names.length ? <RetentionForm settings={settings} /> : <RowsSkeleton rows={3} height={41} />}
    </Section>
  )
}

function RetentionForm({ settings }: { settings: readonly Setting[] }) {
  const t = useMessages(serverDiskMessages)
  const client = useQueryClient()
  const changeable = settings.filter(({ isChangeable }) => isChangeable)
  const valueOf = (name: string) => settings.find((setting) => setting.name === name)!
  const { form, submit, isPending, failure } = useContractForm({
    schema: ChangeSettings,
    initialValues: { variables: Object.fromEntries(changeable.map(({ name, value }) => [name, value ?? ''])) },
    send: changeSettings,
    onSaved: (saved) => {
      notifications.show({ message: t('saved'), role: 'status' })
      client.setQueryData(settingsQuery.queryKey, saved)
      void client.invalidateQueries({ queryKey: serverDiskQuery.queryKey })
    }
  })
  return (
    <form onSubmit={submit} noValidate className={formClasses.form}>
      <Stack gap="md">
        {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
        {names.map((name) => {
          const { isChangeable, value } = valueOf(name)
          const hint = name === 'IMAGE_DISK_BUDGET' ? t('IMAGE_DISK_BUDGET.hint') : undefined
          return isChangeable ? (
            <TextInput key={name} label={t(name)} description={hint} {...form.getInputProps(`variables.${name}`)} />
          ) : (
            <TextInput key={name} label={t(name)} description={t('retention.fixed')} value={value ?? ''} disabled />
          )
        })}
        <Group>
          <Button type="submit" variant="default" loading={isPending}>
            {t('save')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
