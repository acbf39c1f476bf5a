import { Checkbox, NativeSelect, NumberInput, TextInput } from '@mantine/core'
import { runtimeOf, runtimeVersions, UpdateProject } from '@panel/contract/projects'
import { type ComponentProps, useState } from 'react'
import type { Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { optionalText } from '../../ui/form/optional-text.ts'
import { optionalNumber } from '../../ui/form/optional-number.ts'
import { BuildFields } from './build-fields.tsx'
import { SettingsForm, useProjectForm } from './project-form.tsx'
import { projectSettingsMessages } from './project-settings.messages.ts'
import { projectMessages } from './projects.messages.ts'
import { useDetected } from './use-detected.ts'

const orNull = (text: string | null | undefined) => (text === '' || text === undefined ? null : text)

/** Containers of static sites and WordPress always have a read-only root. */
const hasReadOnlyRootOption = ({ type }: Schema<'Project'>) => type !== 'STATIC' && type !== 'WORDPRESS'

type SelectProps = Omit<ComponentProps<typeof NativeSelect>, 'data'> & { type: Schema<'Project'>['type'] }

/** Nothing for types without a version to choose. */
function RuntimeVersionSelect({ type, ...props }: SelectProps) {
  const ofProject = useMessages(projectMessages)
  const runtime = runtimeOf[type]
  const [today] = useState(() => new Date().toISOString())
  if (runtime === null) return null
  const isOutdated = (version: string) => (runtime.endOfLife[version] ?? today) < today
  return (
    <NativeSelect
      label={ofProject('version.choice', { language: runtime.name })}
      description={ofProject('version.hint')}
      data={[
        { value: '', label: ofProject('version.automatic', { version: runtime.preferred }) },
        ...runtime.versions.toReversed().map((value) => ({
          value,
          label: isOutdated(value) ? ofProject('version.outdated', { version: value }) : value
        }))
      ]}
      {...props}
    />
  )
}

export function BuildSettings({ project }: { project: Schema<'Project'> }) {
  const t = useMessages(projectSettingsMessages)
  const ofProject = useMessages(projectMessages)
  const detected = useDetected(project)
  const initialValues = {
    name: project.name,
    buildCmd: project.buildCmd ?? '',
    startCmd: project.startCmd ?? '',
    rootDirectory: project.rootDirectory,
    dockerfilePath: project.dockerfilePath,
    dockerContext: project.dockerContext,
    dockerTarget: project.dockerTarget,
    buildArgs: project.buildArgs,
    installCmd: project.installCmd,
    outputDirectory: project.outputDirectory,
    releaseCmd: project.releaseCmd,
    port: project.port,
    runtimeVersion: runtimeVersions.find((version) => version === project.runtimeVersion) ?? null,
    readOnlyRoot: project.readOnlyRoot
  }
  const { form, frame } = useProjectForm({
    project,
    schema: UpdateProject,
    initialValues,
    bodyOf: ({ buildCmd, startCmd, ...values }) => ({
      ...values,
      buildCmd: orNull(buildCmd),
      startCmd: orNull(startCmd)
    }),
    fieldOfCode: { PROJECT_NAME_EXISTS: 'name', RUNTIME_VERSION_UNSUPPORTED: 'runtimeVersion' }
  })
  return (
    <SettingsForm title={t('edit')} hint={ofProject('edit.hint')} frame={frame}>
      <TextInput
        label={ofProject('new.name')}
        description={ofProject('edit.name.hint')}
        {...form.getInputProps('name')}
      />
      <BuildFields form={form} type={project.type} />
      <TextInput label={ofProject('fact.build')} placeholder={detected.build} {...form.getInputProps('buildCmd')} />
      <TextInput label={ofProject('fact.start')} placeholder={detected.start} {...form.getInputProps('startCmd')} />
      <TextInput
        label={ofProject('edit.releaseCmd')}
        description={ofProject('edit.releaseCmd.hint')}
        placeholder="npx prisma migrate deploy"
        {...optionalText(form.getInputProps('releaseCmd'))}
      />
      <NumberInput
        label={ofProject('fact.port')}
        placeholder={detected.port}
        hideControls
        allowDecimal={false}
        allowNegative={false}
        {...optionalNumber(form.getInputProps('port'))}
      />
      <RuntimeVersionSelect type={project.type} {...optionalText(form.getInputProps('runtimeVersion'))} />
      {hasReadOnlyRootOption(project) && (
        <Checkbox
          label={t('readOnlyRoot')}
          description={t('readOnlyRoot.hint')}
          {...form.getInputProps('readOnlyRoot', { type: 'checkbox' })}
        />
      )}
    </SettingsForm>
  )
}
