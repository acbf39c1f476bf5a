import { Checkbox, NativeSelect, NumberInput, TextInput } from '@mantine/core'
import { CreateScheduledJob } from '@panel/contract/runs'
import { useQueryClient } from '@tanstack/react-query'
import { api, data } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { useContractForm } from '../../ui/form/use-contract-form.ts'
import { FormDialog } from '../../ui/form/form-dialog.tsx'
import formClasses from '../../ui/form/form.module.css'
import { commandText, parseCommand } from './command-text.ts'
import { runMessages } from './runs.messages.ts'
import { changeJob, type ScheduledJob, scheduledJobsKey } from './runs.queries.ts'

interface JobFormProps {
  projectId: string
  job: ScheduledJob | undefined
  onClose(): void
}

const fresh = {
  name: '',
  schedule: '0 3 * * *',
  timezone: undefined as string | undefined,
  command: '',
  timeoutSeconds: 3600,
  overlap: 'SKIP' as const,
  isEnabled: true
}

export function JobForm({ projectId, job, onClose }: JobFormProps) {
  const t = useMessages(runMessages)
  const client = useQueryClient()
  const contractForm = useContractForm({
    schema: CreateScheduledJob,
    initialValues: job ? settingsOf(job) : fresh,
    send: (values) => {
      const body = { ...values, command: parseCommand(String(values.command)) }
      return job
        ? changeJob(job, body)
        : data(api.POST('/api/projects/{id}/scheduled-jobs', { params: { path: { id: projectId } }, body }))
    },
    onSaved: async () => {
      await client.invalidateQueries({ queryKey: scheduledJobsKey(projectId) })
      onClose()
    }
  })
  const { form } = contractForm
  return (
    <FormDialog
      of={contractForm}
      title={job ? t('edit', { name: job.name }) : t('add')}
      submitText={t(job ? 'save' : 'add')}
      onClose={onClose}
    >
      <TextInput label={t('name')} autoComplete="off" data-autofocus {...form.getInputProps('name')} />
      <TextInput
        label={t('command')}
        description={t('command.hint')}
        autoComplete="off"
        spellCheck={false}
        {...form.getInputProps('command')}
      />
      <div className={formClasses.pair}>
        <TextInput
          label={t('schedule')}
          description={t('schedule.hint')}
          autoComplete="off"
          {...form.getInputProps('schedule')}
        />
        <TextInput
          label={t('timezone')}
          description={t('timezone.hint')}
          autoComplete="off"
          defaultValue={form.getInitialValues().timezone ?? ''}
          onChange={({ currentTarget: { value } }) => form.setFieldValue('timezone', value === '' ? undefined : value)}
          error={form.errors.timezone}
          data-path="timezone"
        />
        <NumberInput
          label={t('timeout')}
          min={1}
          max={86_400}
          allowDecimal={false}
          hideControls
          {...form.getInputProps('timeoutSeconds')}
        />
        <NativeSelect
          label={t('overlap')}
          data={(['SKIP', 'QUEUE', 'REPLACE'] as const).map((value) => ({ value, label: t(`overlap.${value}`) }))}
          {...form.getInputProps('overlap')}
        />
      </div>
      <Checkbox label={t('isEnabled')} {...form.getInputProps('isEnabled', { type: 'checkbox' })} />
    </FormDialog>
  )
}

const settingsOf = ({ name, schedule, timezone, command, timeoutSeconds, overlap, isEnabled }: ScheduledJob) => ({
  name,
  schedule,
  timezone,
  command: commandText(command),
  timeoutSeconds,
  overlap,
  isEnabled
})
