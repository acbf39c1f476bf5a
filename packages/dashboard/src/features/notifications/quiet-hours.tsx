import { Button, Group, NativeSelect, Stack, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import formClasses from '../../ui/form/form.module.css'
import { Section } from '../../ui/section.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { meQuery } from '../auth/me.queries.ts'
import classes from './notifications.module.css'
import { notificationMessages } from './notifications.messages.ts'
import { preferencesQuery } from './notifications.queries.ts'
import { useSavePreferences } from './use-save-preferences.ts'

export function QuietHours() {
  const t = useMessages(notificationMessages)
  const { data: me } = useQuery(meQuery)
  const { data: preferences } = useQuery(preferencesQuery)
  if (!preferences || !me) return null
  const { quietHours } = preferences
  return (
    <Section
      title={t('quiet')}
      hint={t('quiet.hint')}
      actions={<StatusBadge tone={quietHours ? 'ok' : 'idle'}>{t(quietHours ? 'state.on' : 'state.off')}</StatusBadge>}
    >
      <Hours
        quietHours={quietHours}
        timezone={me.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone}
        key={JSON.stringify(quietHours)}
      />
    </Section>
  )
}

type Hours = Schema<'NotificationPreferences'>['quietHours']

function Hours({ quietHours, timezone }: { quietHours: Hours; timezone: string }) {
  const t = useMessages(notificationMessages)
  const [hours, setHours] = useState(quietHours ?? { from: '22:00', to: '07:00', timezone })
  const { save, isPending } = useSavePreferences({
    onSaved: () => notifications.show({ message: t('quiet.saved'), role: 'status' })
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isPending) save((before) => ({ ...before, quietHours: hours }))
  }
  const zones = [...new Set(['UTC', hours.timezone, ...Intl.supportedValuesOf('timeZone')])]
  return (
    <form onSubmit={submit} className={formClasses.form}>
      <Stack gap="md">
        <div className={classes.hours}>
          <TextInput
            type="time"
            required
            withAsterisk={false}
            label={t('quiet.from')}
            value={hours.from}
            onChange={({ currentTarget }) => setHours({ ...hours, from: currentTarget.value })}
          />
          <TextInput
            type="time"
            required
            withAsterisk={false}
            label={t('quiet.to')}
            value={hours.to}
            onChange={({ currentTarget }) => setHours({ ...hours, to: currentTarget.value })}
          />
        </div>
        <NativeSelect
          label={t('quiet.timezone')}
          data={zones}
          value={hours.timezone}
          onChange={({ currentTarget }) => setHours({ ...hours, timezone: currentTarget.value })}
        />
        <Group gap="sm">
          <Button type="submit" loading={isPending}>
            {t(quietHours ? 'quiet.save' : 'quiet.on')}
          </Button>
          {quietHours && (
            <Button
              variant="default"
              disabled={isPending}
              onClick={() => save((before) => ({ ...before, quietHours: null }))}
            >
              {t('quiet.off')}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  )
}
