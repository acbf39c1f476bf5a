import { Checkbox, NativeSelect, NumberInput, TextInput } from '@mantine/core'
import { CreateUptimeCheck } from '@panel/contract/uptime-checks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { api, data } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { useContractForm } from '../../ui/form/use-contract-form.ts'
import { FormDialog } from '../../ui/form/form-dialog.tsx'
import formClasses from '../../ui/form/form.module.css'
import { useFollowing } from '../../ui/form/use-following.ts'
import { projectQuery } from '../projects/project.queries.ts'
import { uptimeMessages } from './uptime-checks.messages.ts'
import { hostnamesQuery } from './check-form.queries.ts'
import { type UptimeCheck, uptimeChecksKey } from './uptime-checks.queries.ts'

interface CheckFormProps {
  projectId: string
  check: UptimeCheck | undefined
  onClose(): void
}

export function CheckForm({ projectId, check, onClose }: CheckFormProps) {
  const t = useMessages(uptimeMessages)
  const client = useQueryClient()
  const names = useId()
  const { data: project } = useQuery(projectQuery(projectId))
  const { data: domains = [] } = useQuery(hostnamesQuery(projectId))
  const hostnames = [...(project?.deployedDomain ? [project.deployedDomain] : []), ...domains]
  const initialValues = check ? settingsOf(check) : { ...fresh, hostname: hostnames[0] ?? '' }
  const contractForm = useContractForm({
    schema: CreateUptimeCheck,
    initialValues,
    send: ({ paused: _paused, ...body }) =>
      check
        ? data(
            api.PATCH('/api/projects/{id}/uptime-checks/{checkId}', {
              params: { path: { id: projectId, checkId: check.id } },
              body
            })
          )
        : data(api.POST('/api/projects/{id}/uptime-checks', { params: { path: { id: projectId } }, body })),
    onSaved: async () => {
      await client.invalidateQueries({ queryKey: uptimeChecksKey(projectId) })
      onClose()
    },
    fieldOfCode: { INVALID_TARGET: 'hostname' }
  })
  const { form } = contractForm
  // Hostnames may load after the dialog opens.
  const key = useFollowing(form, initialValues)
  return (
    <FormDialog
      of={contractForm}
      title={check ? t('edit', { name: check.name }) : t('add')}
      submitText={t(check ? 'save' : 'add')}
      formKey={key}
      onClose={onClose}
    >
      <TextInput label={t('name')} autoComplete="off" data-autofocus {...form.getInputProps('name')} />
      <TextInput
        label={t('hostname')}
        description={t('hostname.hint')}
        autoComplete="off"
        list={names}
        {...form.getInputProps('hostname')}
      />
      <datalist id={names}>
        {hostnames.map((hostname) => (
          <option key={hostname} value={hostname} />
        ))}
      </datalist>
      <div className={formClasses.pair}>
        <NativeSelect
          label={t('protocol')}
          data={[{ value: '', label: t('protocol.automatic') }, 'https', 'http']}
          defaultValue={form.getInitialValues().protocol ?? ''}
          onChange={({ currentTarget: { value } }) =>
            form.setFieldValue('protocol', value === 'http' || value === 'https' ? value : undefined)
          }
        />
        <TextInput label={t('path')} {...form.getInputProps('path')} />
        <NumberInput label={t('interval')} {...bounds(1, 60)} {...form.getInputProps('intervalMinutes')} />
        <NumberInput label={t('timeout')} {...bounds(1, 20)} {...form.getInputProps('timeoutSeconds')} />
        <NativeSelect label={t('method')} data={['GET', 'HEAD']} {...form.getInputProps('method')} />
        <TextInput label={t('status')} {...form.getInputProps('expectedStatus')} />
        <TextInput
          label={t('text')}
          defaultValue={form.getInitialValues().text ?? ''}
          onChange={({ currentTarget: { value } }) => form.setFieldValue('text', value === '' ? null : value)}
          error={form.errors.text}
          data-path="text"
        />
        <NativeSelect
          label={t('textMode')}
          data={[
            { value: 'present', label: t('textMode.present') },
            { value: 'absent', label: t('textMode.absent') }
          ]}
          {...form.getInputProps('textMode')}
        />
        <NumberInput label={t('retries')} {...bounds(0, 5)} {...form.getInputProps('retries')} />
      </div>
      <Checkbox label={t('onStatusPage')} {...form.getInputProps('onStatusPage', { type: 'checkbox' })} />
    </FormDialog>
  )
}

const bounds = (min: number, max: number) => ({ min, max, allowDecimal: false, hideControls: true })

const fresh = {
  name: '',
  protocol: undefined,
  path: '/',
  method: 'GET',
  expectedStatus: '200-399',
  text: null,
  textMode: 'present',
  intervalMinutes: 5,
  timeoutSeconds: 10,
  retries: 2,
  paused: false,
  onStatusPage: true
} as const

const settingsOf = (check: UptimeCheck) =>
  Object.fromEntries([...Object.keys(fresh), 'hostname'].map((name) => [name, check[name as keyof UptimeCheck]])) as {
    [Name in keyof typeof fresh | 'hostname']: UptimeCheck[Name]
  }
