import { Button, NumberInput } from '@mantine/core'
import { UpdateProject } from '@panel/contract/projects'
import { api, data, type Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { optionalNumber } from '../../ui/form/optional-number.ts'
import { useAction } from '../../ui/use-action.ts'
import { SettingsForm, useProjectForm } from './project-form.tsx'
import { projectSettingsMessages } from './project-settings.messages.ts'

const Sleep = UpdateProject.pick({ sleepAfterMinutes: true })

export function SleepSettings({ project }: { project: Schema<'Project'> }) {
  const t = useMessages(projectSettingsMessages)
  const initialValues = { sleepAfterMinutes: project.sleepAfterMinutes }
  const { form, frame } = useProjectForm({
    project,
    schema: Sleep,
    initialValues,
    bodyOf: (body) => body,
    saved: 'sleep.saved'
  })
  const now = useAction({
    run: () => data(api.POST('/api/projects/{id}/sleep', { params: { path: { id: project.id } } })),
    invalidates: [['projects']],
    done: () => t('sleep.now.done')
  })
  const isAwake = project.sleepAfterMinutes !== null && project.asleepSince === null && project.containerId !== null
  return (
    <SettingsForm
      title={t('sleep')}
      hint={t('sleep.hint')}
      frame={frame}
      actions={
        isAwake && (
          <Button variant="default" loading={now.isPending} onClick={() => now.start()}>
            {t('sleep.now')}
          </Button>
        )
      }
    >
      <NumberInput
        label={t('sleep.after')}
        description={t('sleep.after.hint')}
        min={1}
        allowDecimal={false}
        allowNegative={false}
        {...optionalNumber(form.getInputProps('sleepAfterMinutes'))}
      />
    </SettingsForm>
  )
}
