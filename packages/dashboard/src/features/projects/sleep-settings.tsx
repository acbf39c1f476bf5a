import { Button, Group, NumberInput, Stack } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { UpdateProject } from '@panel/contract/projects'
import { useQueryClient } from '@tanstack/react-query'
import { api, data, type Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import formClasses from '../../ui/form/form.module.css'
import { optionalNumber } from '../../ui/form/optional-number.ts'
import { useContractForm } from '../../ui/form/use-contract-form.ts'
import { useFollowing } from '../../ui/form/use-following.ts'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/section.tsx'
import { useAction } from '../../ui/use-action.ts'
import { projectSettingsMessages } from './project-settings.messages.ts'

const Sleep = UpdateProject.pick({ sleepAfterMinutes: true })

export function SleepSettings({ project }: { project: Schema<'Project'> }) {
  const t = useMessages(projectSettingsMessages)
  const client = useQueryClient()
  const params = { path: { id: project.id } }
  const initialValues = { sleepAfterMinutes: project.sleepAfterMinutes }
  const { form, submit, isPending, failure } = useContractForm({
    schema: Sleep,
    initialValues,
    send: (body) => data(api.PUT('/api/projects/{id}', { params, body })),
    onSaved: async () => {
      notifications.show({ message: t('sleep.saved'), role: 'status' })
      await client.invalidateQueries({ queryKey: ['projects'] })
    }
  })
  const key = useFollowing(form, initialValues)
  const now = useAction({
    run: () => data(api.POST('/api/projects/{id}/sleep', { params })),
    invalidates: [['projects']],
    done: () => t('sleep.now.done')
  })
  const isAwake = project.sleepAfterMinutes !== null && project.asleepSince === null && project.containerId !== null
  return (
    <Section title={t('sleep')} hint={t('sleep.hint')}>
      <form key={key} onSubmit={submit} noValidate className={formClasses.form} aria-label={t('sleep')}>
        <Stack gap="md">
          {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
          <NumberInput
            label={t('sleep.after')}
            description={t('sleep.after.hint')}
            min={1}
            allowDecimal={false}
            allowNegative={false}
            {...optionalNumber(form.getInputProps('sleepAfterMinutes'))}
          />
          <Group>
            <Button type="submit" loading={isPending}>
              {t('save')}
            </Button>
            {isAwake && (
              <Button variant="default" loading={now.isPending} onClick={() => now.start()}>
                {t('sleep.now')}
              </Button>
            )}
          </Group>
        </Stack>
      </form>
    </Section>
  )
}
