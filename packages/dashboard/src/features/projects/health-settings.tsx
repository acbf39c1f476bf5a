import { Button, NumberInput, Switch, TextInput } from '@mantine/core'
import { HealthCheck } from '@panel/contract/health-checks'
import { useState } from 'react'
import type { Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { optionalNumber } from '../../ui/form/optional-number.ts'
import { useAction } from '../../ui/use-action.ts'
import { saveProject, SettingsForm, useProjectForm } from './project-form.tsx'
import { projectSettingsMessages } from './project-settings.messages.ts'

const suggested = { path: '/', status: null, timeoutSeconds: 10, graceSeconds: null } satisfies HealthCheck

/** Without a health check, a container counts as ready once it answers HTTP at all. */
export function HealthSettings({ project }: { project: Schema<'Project'> }) {
  const t = useMessages(projectSettingsMessages)
  const remove = useAction({
    run: () => saveProject(project.id, { health: null }),
    invalidates: [['projects']],
    done: () => t('saved')
  })
  const initialValues: HealthCheck = project.health ?? suggested
  const { form, frame } = useProjectForm({
    project,
    schema: HealthCheck,
    initialValues,
    bodyOf: (health) => ({ health })
  })
  const [isHttp, setIsHttp] = useState(initialValues.path !== null)
  const whole = { hideControls: true, allowDecimal: false, allowNegative: false }
  return (
    <SettingsForm
      title={t('health')}
      hint={t(project.health === null ? 'health.none' : 'health.hint')}
      frame={frame}
      actions={
        project.health !== null && (
          <Button variant="default" loading={remove.isPending} onClick={() => remove.start()}>
            {t('health.remove')}
          </Button>
        )
      }
    >
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
    </SettingsForm>
  )
}
