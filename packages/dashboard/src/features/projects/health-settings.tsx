import { Button, Group, NumberInput, Stack, Switch, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { HealthCheck } from '@panel/contract/health-checks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, data, type Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import formClasses from '../../ui/form/form.module.css'
import { optionalNumber } from '../../ui/form/optional-number.ts'
import { useContractForm } from '../../ui/form/use-contract-form.ts'
import { useFollowing } from '../../ui/form/use-following.ts'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/section.tsx'
import { projectSettingsMessages } from './project-settings.messages.ts'

const suggested = { path: '/', status: null, timeoutSeconds: 10, graceSeconds: null } satisfies HealthCheck

/** Without a health check, a container counts as ready once it answers HTTP at all. */
export function HealthSettings({ project }: { project: Schema<'Project'> }) {
  const t = useMessages(projectSettingsMessages)
  const client = useQueryClient()
  const save = (health: HealthCheck | null) =>
    data(api.PUT('/api/projects/{id}', { params: { path: { id: project.id } }, body: { health } }))
  const onSaved = async () => {
    notifications.show({ message: t('saved'), role: 'status' })
    await client.invalidateQueries({ queryKey: ['projects'] })
  }
  const remove = useMutation({ mutationFn: () => save(null), onSuccess: onSaved })
  const initialValues: HealthCheck = project.health ?? suggested
  const { form, submit, isPending, failure } = useContractForm({
    schema: HealthCheck,
    initialValues,
    send: save,
    onSaved
  })
  const key = useFollowing(form, initialValues)
  const [isHttp, setIsHttp] = useState(initialValues.path !== null)
  const whole = { hideControls: true, allowDecimal: false, allowNegative: false }
  return (
    <Section title={t('health')} hint={t(project.health === null ? 'health.none' : 'health.hint')}>
      <form key={key} onSubmit={submit} noValidate className={formClasses.form} aria-label={t('health')}>
        <Stack gap="md">
          {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
          <Switch
            label={t('health.http')}
            description={t('health.http.hint')}
            checked={isHttp}
            onChange={({ currentTarget: { checked } }) => {
              setIsHttp(checked)
              form.setFieldValue('path', checked ? suggested.path : null)
            }}
          />
          {isHttp && (
            <>
              <TextInput label={t('health.path')} placeholder="/health" {...form.getInputProps('path')} />
              <NumberInput
                label={t('health.status')}
                description={t('health.status.hint')}
                placeholder="200–399"
                {...whole}
                {...optionalNumber(form.getInputProps('status'))}
              />
            </>
          )}
          <NumberInput label={t('health.timeout')} {...whole} {...form.getInputProps('timeoutSeconds')} />
          <NumberInput
            label={t('health.grace')}
            description={t('health.grace.hint')}
            {...whole}
            {...optionalNumber(form.getInputProps('graceSeconds'))}
          />
          <Group>
            <Button type="submit" loading={isPending}>
              {t('save')}
            </Button>
            {project.health !== null && (
              <Button variant="default" loading={remove.isPending} onClick={() => remove.mutate()}>
                {t('health.remove')}
              </Button>
            )}
          </Group>
        </Stack>
      </form>
    </Section>
  )
}
