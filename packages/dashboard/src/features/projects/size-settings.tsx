import { Button, NativeSelect, NumberInput, Stack } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { ContainerSize, type SizePreset, sizePresets } from '@panel/contract/project-sizes'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, data, type Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import formClasses from '../../ui/form/form.module.css'
import { useContractForm } from '../../ui/form/use-contract-form.ts'
import { optionalNumber } from '../../ui/form/optional-number.ts'
import { useFollowing } from '../../ui/form/use-following.ts'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/section.tsx'
import { projectSettingsMessages } from './project-settings.messages.ts'
import { type SizeChoice, sizeChoiceOf } from './size-choice.ts'

const presets = Object.keys(sizePresets) as SizePreset[]

/** A change replaces the running container, without a build. */
export function SizeSettings({ project }: { project: Schema<'Project'> }) {
  const t = useMessages(projectSettingsMessages)
  const client = useQueryClient()
  const [choice, setChoice] = useState(sizeChoiceOf(project.size))
  const initialValues: ContainerSize = project.size ?? sizePresets.small
  const { form, submit, isPending, failure } = useContractForm({
    schema: ContainerSize,
    initialValues,
    send: (values) => {
      const size = choice === 'custom' ? values : choice === 'server' ? null : sizePresets[choice]
      return data(api.PUT('/api/projects/{id}', { params: { path: { id: project.id } }, body: { size } }))
    },
    onSaved: async () => {
      notifications.show({ message: t('size.saved'), role: 'status' })
      await client.invalidateQueries({ queryKey: ['projects'] })
    }
  })
  const key = useFollowing(form, initialValues)
  const number = { hideControls: true, allowNegative: false }
  return (
    <Section title={t('size')} hint={t('size.hint')}>
      <form key={key} onSubmit={submit} noValidate className={formClasses.form} aria-label={t('size')}>
        <Stack gap="md">
          {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
          <NativeSelect
            label={t('size.choice')}
            value={choice}
            onChange={(event) => setChoice(event.currentTarget.value as SizeChoice)}
            data={[
              { value: 'server', label: t('size.server') },
              ...presets.map((value) => {
                const { memoryMb, cpus } = sizePresets[value]
                return { value, label: t(`size.${value}`, { memoryMb, cpus }) }
              }),
              { value: 'custom', label: t('size.custom') }
            ]}
          />
          {choice === 'custom' && (
            <>
              <NumberInput
                label={t('size.memory')}
                allowDecimal={false}
                {...number}
                {...form.getInputProps('memoryMb')}
              />
              <NumberInput label={t('size.cpus')} {...number} {...form.getInputProps('cpus')} />
              <NumberInput label={t('size.pids')} allowDecimal={false} {...number} {...form.getInputProps('pids')} />
              <NumberInput
                label={t('size.disk')}
                description={t('size.disk.hint')}
                allowDecimal={false}
                {...number}
                {...optionalNumber(form.getInputProps('diskMb'))}
              />
            </>
          )}
          <div>
            <Button type="submit" loading={isPending}>
              {t('save')}
            </Button>
          </div>
        </Stack>
      </form>
    </Section>
  )
}
