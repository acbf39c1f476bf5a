import { Button, NativeSelect, Stack, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { CreateProject } from '@panel/contract/projects'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMessages } from '../../i18n/i18n.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import formClasses from '../../ui/form/form.module.css'
import { useContractForm } from '../../ui/form/use-contract-form.ts'
import { Notice } from '../../ui/notice.tsx'
import { SentenceText } from '../../ui/sentence-text.tsx'
import { Section } from '../../ui/section.tsx'
import { failureMessages } from '../../ui/shared-texts/failure.messages.ts'
import { ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { useAction } from '../../ui/use-action.ts'
import { createWithKey, type Inspection, createDeployKey, nameOf } from './new-project.queries.ts'
import { builtTypes } from './project-origins.ts'
import { projectQuery } from './project.queries.ts'
import { projectMessages } from './projects.messages.ts'

interface PrivateRepositoryProps {
  found: Inspection
  projectId: string | undefined
  isInspecting: boolean
  onInspectAgain(): void
}

export function PrivateRepository({ found, projectId, isInspecting, onInspectAgain }: PrivateRepositoryProps) {
  const t = useMessages(projectMessages)
  return (
    <Section title={t('new.private')} hint={t('new.private.hint')}>
      {projectId === undefined ? (
        <CreateDeployKey found={found} />
      ) : (
        <DeployKey found={found} projectId={projectId} isInspecting={isInspecting} onInspectAgain={onInspectAgain} />
      )}
    </Section>
  )
}

function CreateDeployKey({ found: { sshUrl } }: { found: Inspection }) {
  const t = useMessages(projectMessages)
  const client = useQueryClient()
  const navigate = useNavigate({ from: '/projects/new' })
  const { form, submit, isPending, failure } = useContractForm({
    schema: CreateProject,
    initialValues: { name: nameOf(sshUrl), type: 'NODEJS' },
    send: ({ name, type }) => createWithKey({ name, type, gitUrl: sshUrl }),
    onSaved: async ({ projectId: project, problem }) => {
      if (problem !== undefined) notifications.show({ color: 'red', autoClose: false, message: problem, role: 'alert' })
      await client.invalidateQueries({ queryKey: ['projects', 'list'] })
      await navigate({ search: { url: sshUrl, project }, state: { isRequested: true } })
    },
    fieldOfCode: { PROJECT_NAME_EXISTS: 'name' }
  })
  return (
    <form onSubmit={submit} noValidate className={formClasses.form}>
      <Stack gap="md">
        {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
        <TextInput label={t('new.name')} description={t('new.name.hint')} {...form.getInputProps('name')} />
        <NativeSelect
          label={t('new.type')}
          description={t('new.type.unseen')}
          data={builtTypes.map((value) => ({ value, label: t(`type.${value}`) }))}
          {...form.getInputProps('type')}
        />
        <div>
          <Button type="submit" loading={isPending}>
            {t('new.key')}
          </Button>
        </div>
      </Stack>
    </form>
  )
}

type DeployKeyProps = PrivateRepositoryProps & { projectId: string }

function DeployKey({ found, projectId, isInspecting, onInspectAgain }: DeployKeyProps) {
  const t = useMessages(projectMessages)
  const { data: project, error, refetch } = useQuery(projectQuery(projectId))
  const make = useAction({ run: () => createDeployKey(projectId), invalidates: [['projects', projectId]] })
  if (error && !project) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!project) return <RowsSkeleton rows={2} height={32} />
  if (project.sshPublicKey === null)
    return (
      <Button loading={make.isPending} onClick={() => make.start()}>
        {t('new.key.missing')}
      </Button>
    )
  return (
    <Stack gap="md">
      {!isInspecting && (
        <Notice tone="warn">
          <SentenceText by={{ reason: failureMessages }} sentences={found.sentences}>
            {found.problem ?? ''}
          </SentenceText>
        </Notice>
      )}
      <CopyField label={t('key')} value={project.sshPublicKey} />
      <p>{t('key.hint')}</p>
      <div>
        <Button loading={isInspecting} onClick={onInspectAgain}>
          {t('new.again')}
        </Button>
      </div>
    </Stack>
  )
}
