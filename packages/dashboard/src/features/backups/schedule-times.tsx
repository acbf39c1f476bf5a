import { Chip, Group, Input, NumberInput, Switch } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useI18n, useMessages } from '../../i18n/i18n.tsx'
import { backupMessages } from './backups.messages.ts'

const weekdayOrder = [1, 2, 3, 4, 5, 6, 0] as const
// A Sunday.
const sundayMs = Date.UTC(2026, 0, 4)

interface ScheduleTimesProps {
  label: string
  form: Pick<UseFormReturnType<{ weekdays: number[] }>, 'getInputProps'> & {
    setFieldValue(path: 'weekdays', value: number[]): void
  }
  weekdays: readonly number[]
}

/** Switch, time of day and days of a schedule. */
export function ScheduleTimes({ label, form, weekdays }: ScheduleTimesProps) {
  const t = useMessages(backupMessages)
  const { locale } = useI18n()
  const dayName = new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' })
  return (
    <>
      <Switch label={label} {...form.getInputProps('isEnabled', { type: 'checkbox' })} />
      <Group grow>
        <NumberInput label={t('schedule.hour')} min={0} max={23} {...form.getInputProps('hour')} />
        <NumberInput label={t('schedule.minute')} min={0} max={59} {...form.getInputProps('minute')} />
      </Group>
      <Input.Wrapper label={t('schedule.days')} description={t('schedule.days.hint')}>
        <Chip.Group
          multiple
          defaultValue={weekdays.map(String)}
          onChange={(days: string[]) => form.setFieldValue('weekdays', days.map(Number))}
        >
          <Group gap="xs" mt="xs">
            {weekdayOrder.map((day) => (
              <Chip key={day} value={String(day)} size="xs">
                {dayName.format(new Date(sundayMs + day * 24 * 3600_000))}
              </Chip>
            ))}
          </Group>
        </Chip.Group>
      </Input.Wrapper>
    </>
  )
}
