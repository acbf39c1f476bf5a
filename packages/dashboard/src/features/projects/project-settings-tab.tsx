import { Button, NumberInput, Stack, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { UpdateProject } from '@panel/contract/projects'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { api, data, type Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { ConfirmName } from '../../ui/confirm-name.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import formClasses from '../../ui/form/form.module.css'
import { useContractForm } from '../../ui/form/use-contract-form.ts'
import { useFollowing } from '../../ui/form/use-following.ts'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/section.tsx'
import { useAct } from '../../ui/use-act.ts'
import { gitQuery, projectQuery } from './project.queries.ts'
import { projectMessages } from './projects.messages.ts'

export function ProjectSettingsTab() {
  const { projectId } = useParams({ from: '/signed-in/projects/$projectId' })
  const { data: project } = useQuery(projectQuery(projectId))
  if (!project) return null
  return (
    <>
      <BuildSettings key={project.id} project={project} />
      <GitSettings projectId={projectId} />
      <DangerZone project={project} />
    </>
  )
}

const orNull = (text: string | null | undefined) => (text === '' || text === undefined ? null : text)

function BuildSettings({ project }: { project: Schema<'Project'> }) {
  const t = useMessages(projectMessages)
  const client = useQueryClient()
  const initialValues = {
    name: project.name,
    gitUrl: project.gitUrl ?? '',
    branch: project.branch ?? 'main',
    buildCmd: project.buildCmd ?? '',
    startCmd: project.startCmd ?? '',
    port: project.port
  }
  const { form, submit, isPending, failure } = useContractForm({
    schema: UpdateProject,
    initialValues,
    send: ({ gitUrl, branch, buildCmd, startCmd, ...body }) =>
      data(
        api.PUT('/api/projects/{id}', {
          params: { path: { id: project.id } },
          body: {
            ...body,
            gitUrl: orNull(gitUrl),
            branch: orNull(branch),
            buildCmd: orNull(buildCmd),
            startCmd: orNull(startCmd)
          }
        })
      ),
    onSaved: async () => {
      notifications.show({ message: t('saved'), role: 'status' })
      await client.invalidateQueries({ queryKey: ['projects'] })
    },
    fieldOfCode: { PROJECT_NAME_EXISTS: 'name' }
  })
  const key = useFollowing(form, initialValues)
  return (
    <Section title={t('edit')} hint={t('edit.hint')}>
      <form key={key} onSubmit={submit} noValidate className={formClasses.form}>
        <Stack gap="md">
          {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
          <TextInput label={t('new.name')} {...form.getInputProps('name')} />
          <TextInput label={t('new.gitUrl')} {...form.getInputProps('gitUrl')} />
          <TextInput label={t('new.branch')} {...form.getInputProps('branch')} />
          <TextInput label={t('fact.build')} placeholder={t('fact.automatic')} {...form.getInputProps('buildCmd')} />
          <TextInput label={t('fact.start')} placeholder={t('fact.automatic')} {...form.getInputProps('startCmd')} />
          <NumberInput
            label={t('fact.port')}
            placeholder={t('fact.automatic')}
            hideControls
            {...form.getInputProps('port')}
          />
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

function GitSettings({ projectId }: { projectId: string }) {
  const t = useMessages(projectMessages)
  const { data: git } = useQuery(gitQuery(projectId))
  if (!git) return null
  return (
    <Section title={t('webhook')} hint={t('webhook.hint')}>
      <Stack gap="md">
        <CopyField label={t('webhook.url')} value={git.webhookUrl} />
        {git.sshPublicKey !== null && (
          <div>
            <CopyField label={t('key')} value={git.sshPublicKey} />
            <p>{t('key.hint')}</p>
          </div>
        )}
      </Stack>
    </Section>
  )
}

function DangerZone({ project }: { project: Schema<'Project'> }) {
  const t = useMessages(projectMessages)
  const navigate = useNavigate()
  const [isAsking, setAsking] = useState(false)
  const remove = useAct({
    run: () => data(api.DELETE('/api/projects/{id}', { params: { path: { id: project.id } } })),
    stale: [['projects', 'list']],
    onDone: () => void navigate({ to: '/projects' })
  })
  return (
    <Section
      isDanger
      title={t('danger')}
      hint={t('danger.hint')}
      actions={
        <Button color="red" variant="light" onClick={() => setAsking(true)}>
          {t('delete')}
        </Button>
      }
    >
      {isAsking && (
        <ConfirmName
          title={t('danger')}
          name={project.name}
          action={t('delete')}
          isPending={remove.isPending}
          onConfirm={() => remove.start()}
          onClose={() => setAsking(false)}
        >
          {t('danger.hint')}
        </ConfirmName>
      )}
    </Section>
  )
}
