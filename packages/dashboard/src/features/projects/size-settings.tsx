import { NativeSelect, NumberInput } from '@mantine/core'
import { ContainerSize, type SizePreset, sizePresets } from '@panel/contract/project-sizes'
import { useState } from 'react'
import type { Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { optionalNumber } from '../../ui/form/optional-number.ts'
import { SettingsForm, useProjectForm } from './project-form.tsx'
import { projectSettingsMessages } from './project-settings.messages.ts'
import { type SizeChoice, sizeChoiceOf } from './size-choice.ts'

const presets = Object.keys(sizePresets) as SizePreset[]

/** A change replaces the running container, without a build. */
export function SizeSettings({ project }: { project: Schema<'Project'> }) {
  const t = useMessages(projectSettingsMessages)
  const [choice, setChoice] = useState(sizeChoiceOf(project.size))
  const initialValues: ContainerSize = project.size ?? sizePresets.small
  const { form, frame } = useProjectForm({
    project,
    schema: ContainerSize,
    initialValues,
    bodyOf: (values) => ({ size: choice === 'custom' ? values : choice === 'server' ? null : sizePresets[choice] }),
    saved: 'size.saved'
  })
  const number = { hideControls: true, allowNegative: false }
  return (
    <SettingsForm title={t('size')} hint={t('size.hint')} frame={frame}>
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
          <NumberInput label={t('size.memory')} allowDecimal={false} {...number} {...form.getInputProps('memoryMb')} />
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
    </SettingsForm>
  )
}
