import { Button, Group, Input, NativeSelect, NumberInput, Stack } from '@mantine/core'
import { BackupSchedule, drillIntervals } from '@panel/contract/backup-schedule'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { notifications } from '@mantine/notifications'
import { api, data, type Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import formClasses from '../../ui/form/form.module.css'
import { optionalNumber } from '../../ui/form/optional-number.ts'
import { useContractForm } from '../../ui/form/use-contract-form.ts'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/section.tsx'
import { RowsSkeleton } from '../../ui/states.tsx'
import { backupMessages } from './backups.messages.ts'
import { scheduleQuery } from './backups.queries.ts'
import { ScheduleTimes } from './schedule-times.tsx'

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
const windowHours = ['windowFromHour', 'windowUntilHour'] as const

function ScheduleForm({ schedule }: { schedule: Schema<'BackupSchedule'> }) {
  const t = useMessages(backupMessages)
  const client = useQueryClient()
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
        <ScheduleTimes label={t('schedule.on')} form={form} weekdays={schedule.weekdays} />
        <Group grow>
          {numbers.map((name) => (
            <NumberInput key={name} label={t(name)} min={0} {...form.getInputProps(name)} />
          ))}
        </Group>
        <NativeSelect
          label={t('schedule.drills')}
          description={t('schedule.drills.hint')}
          data={drillIntervals.map((value) => ({ value, label: t(`drills.${value}`) }))}
          {...form.getInputProps('drills')}
        />
        <NumberInput
          label={t('uploadLimit')}
          description={t('uploadLimit.hint')}
          min={64}
          {...optionalNumber(form.getInputProps('uploadLimitKib'))}
        />
        <Input.Wrapper label={t('window')} description={t('window.hint')}>
          <Group grow mt="xs">
            {windowHours.map((name) => (
              <NumberInput key={name} label={t(name)} min={0} max={23} {...optionalNumber(form.getInputProps(name))} />
            ))}
          </Group>
        </Input.Wrapper>
        <div>
          <Button type="submit" variant="default" loading={isPending}>
            {t('save')}
          </Button>
        </div>
      </Stack>
    </form>
  )
}
