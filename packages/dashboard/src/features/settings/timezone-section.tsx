import { Button, Stack, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { ChangeSettings } from '@panel/contract/settings'
import { useQueryClient } from '@tanstack/react-query'
import { useId, useMemo } from 'react'
import { useMessages } from '../../i18n/i18n.tsx'
import formClasses from '../../ui/form/form.module.css'
import { useContractForm } from '../../ui/form/use-contract-form.ts'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/section.tsx'
import { settingsMessages } from './settings.messages.ts'
import { changeSettings, settingsQuery } from './settings.queries.ts'

export function TimezoneSection({ timezone }: { timezone: string }) {
  const t = useMessages(settingsMessages)
  const client = useQueryClient()
  const names = useId()
  const zones = useMemo(() => Intl.supportedValuesOf('timeZone'), [])
  const { form, submit, isPending, failure } = useContractForm({
    schema: ChangeSettings,
    initialValues: { timezone },
    send: changeSettings,
    onSaved: (settings) => {
      notifications.show({ message: t('timezone.saved', { zone: settings.timezone }), role: 'status' })
      client.setQueryData(settingsQuery.queryKey, settings)
    }
  })
  return (
    <Section title={t('timezone')} hint={t('timezone.hint')}>
      <form onSubmit={submit} noValidate className={formClasses.form}>
        <Stack gap="md">
          {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
          <TextInput
            label={t('timezone.name')}
            list={names}
            autoComplete="off"
            spellCheck={false}
            {...form.getInputProps('timezone')}
          />
          <datalist id={names}>
            {zones.map((zone) => (
              <option key={zone} value={zone} />
            ))}
          </datalist>
          <div>
            <Button type="submit" variant="default" loading={isPending}>
              {t('save')}
            </Button>
          </div>
        </Stack>
      </form>
    </Section>
  )
}
