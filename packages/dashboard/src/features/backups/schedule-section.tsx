import { Button, Chip, Group, Input, NumberInput, Stack, Switch } from '@mantine/core'
import { BackupSchedule } from '@panel/contract/backups'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { notifications } from '@mantine/notifications'
import { api, data, type Schema } from '../../api/client.ts'
import { useI18n, useMessages } from '../../i18n/i18n.tsx'
import formClasses from '../../ui/form/form.module.css'
import { optionalNumber } from '../../ui/form/optional-number.ts'
import { useContractForm } from '../../ui/form/use-contract-form.ts'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/section.tsx'
import { RowsSkeleton } from '../../ui/states.tsx'
import { backupMessages } from './backups.messages.ts'
import { scheduleQuery } from './backups.queries.ts'

export function ScheduleSection() {
  const t = useMessages(backupMessages)
  const { data: schedule } = useQuery(scheduleQuery)
  return (
    <Section title={t('schedule')} hint={t('schedule.hint')}>
      {schedule ? <ScheduleForm schedule={schedule} /> : <RowsSkeleton rows={3} height={41} />}
    </Section>
  )
}

const numbers = ['keepDaily', 'keepWeekly', 'keepMonthly'] as const
const weekdays = [1, 2, 3, 4, 5, 6, 0] as const
// A Sunday.
const sundayMs = Date.UTC(2026, 0, 4)

function ScheduleForm({ schedule }: { schedule: Schema<'BackupSchedule'> }) {
  const t = useMessages(backupMessages)
  const { locale } = useI18n()
  const client = useQueryClient()
  const dayName = new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' })
  const { form, submit, isPending, failure } = useContractForm({
    schema: BackupSchedule,
    initialValues: schedule,
    send: (body) => data(api.PUT('/api/backups/schedule', { body })),
    onSaved: (saved) => {
      notifications.show({ message: t('schedule.saved'), role: 'status' })
      client.setQueryData(scheduleQuery.queryKey, saved)
    }
  })
  return (
    <form onSubmit={submit} noValidate className={formClasses.form}>
      <Stack gap="md">
        {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
        <Switch label={t('schedule.on')} {...form.getInputProps('isEnabled', { type: 'checkbox' })} />
        <Group grow>
          <NumberInput label={t('schedule.hour')} min={0} max={23} {...form.getInputProps('hour')} />
          <NumberInput label={t('schedule.minute')} min={0} max={59} {...form.getInputProps('minute')} />
        </Group>
        <Input.Wrapper label={t('schedule.days')} description={t('schedule.days.hint')}>
          <Chip.Group
            multiple
            defaultValue={schedule.weekdays.map(String)}
            onChange={(days: string[]) => form.setFieldValue('weekdays', days.map(Number))}
          >
            <Group gap="xs" mt="xs">
              {weekdays.map((day) => (
                <Chip key={day} value={String(day)} size="xs">
                  {dayName.format(new Date(sundayMs + day * 24 * 3600_000))}
                </Chip>
              ))}
            </Group>
          </Chip.Group>
        </Input.Wrapper>
        <Group grow>
          {numbers.map((name) => (
            <NumberInput key={name} label={t(name)} min={0} {...form.getInputProps(name)} />
          ))}
        </Group>
        <NumberInput
          label={t('uploadLimit')}
          description={t('uploadLimit.hint')}
          min={64}
          {...optionalNumber(form.getInputProps('uploadLimitKib'))}
        />
        <div>
          <Button type="submit" variant="default" loading={isPending}>
            {t('save')}
          </Button>
        </div>
      </Stack>
    </form>
  )
}
