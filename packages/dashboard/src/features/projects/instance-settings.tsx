import { Checkbox, NumberInput } from '@mantine/core'
import { UpdateProject } from '@panel/contract/projects'
import { type FormEvent, lazy, Suspense, useState } from 'react'
import type { Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { SettingsForm, useProjectForm } from './project-form.tsx'
import { projectSettingsMessages } from './project-settings.messages.ts'

const ConfirmDialog = lazy(() =>
  import('../../ui/confirm-dialog.tsx').then((module) => ({ default: module.ConfirmDialog }))
)

const Instances = UpdateProject.pick({
  instances: true,
  stickySessions: true,
  restartWhenHung: true,
  keepsFiles: true
})

/** Sites of the others need their files. */
const mayKeepNone = ({ type, source }: Schema<'Project'>) =>
  type !== 'WORDPRESS' && type !== 'PHP' && source !== 'FILES'

export function InstanceSettings({ project }: { project: Schema<'Project'> }) {
  const t = useMessages(projectSettingsMessages)
  const [isAsking, setAsking] = useState(false)
  const { instances, stickySessions, restartWhenHung, keepsFiles = true } = project
  const initialValues = { instances, stickySessions, restartWhenHung, keepsFiles }
  const { form, frame } = useProjectForm({
    project,
    schema: Instances,
    initialValues,
    bodyOf: (body) => body,
    saved: 'size.saved'
  })
  const submit = (event?: FormEvent<HTMLFormElement>) => {
    if (!keepsFiles || form.getValues().keepsFiles !== false) return frame.submit(event)
    event?.preventDefault()
    setAsking(true)
  }
  const save = () => {
    setAsking(false)
    frame.submit()
  }
  return (
    <SettingsForm title={t('instances')} hint={t('instances.hint')} frame={{ ...frame, submit }}>
      <NumberInput
        label={t('instances.count')}
        min={1}
        allowDecimal={false}
        allowNegative={false}
        {...form.getInputProps('instances')}
      />
      <Checkbox
        label={t('instances.sticky')}
        description={t('instances.sticky.hint')}
        {...form.getInputProps('stickySessions', { type: 'checkbox' })}
      />
      <Checkbox
        label={t('instances.restart')}
        description={t('instances.restart.hint')}
        {...form.getInputProps('restartWhenHung', { type: 'checkbox' })}
      />
      {mayKeepNone(project) && (
        <Checkbox
          label={t('keepsFiles')}
          description={t('keepsFiles.hint')}
          {...form.getInputProps('keepsFiles', { type: 'checkbox' })}
        />
      )}
      <Suspense fallback={null}>
        {isAsking && (
          <ConfirmDialog
            title={t('keepsFiles.title')}
            action={t('save')}
            isPending={frame.isPending}
            onConfirm={save}
            onClose={() => setAsking(false)}
          >
            {t('keepsFiles.ask')}
          </ConfirmDialog>
        )}
      </Suspense>
    </SettingsForm>
  )
}
