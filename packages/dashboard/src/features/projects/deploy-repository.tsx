import { Button, Stack, TextInput } from '@mantine/core'
import { IconRocket } from '@tabler/icons-react'
import { CreateProject } from '@panel/contract/projects'
import { api, data, type Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import formClasses from '../../ui/form/form.module.css'
import { useContractForm } from '../../ui/form/use-contract-form.ts'
import { Notice } from '../../ui/notice.tsx'
import { useAction } from '../../ui/use-action.ts'
import { connectAndBuild, type Inspection, nameOf, setPlaceAndBuild } from './new-project.queries.ts'
import { projectMessages } from './projects.messages.ts'
import { useStarted } from './use-started.ts'

interface DeployProps {
  found: Inspection
  branch: string
  isInspecting: boolean
}

export function DeployNew({ found, branch, type, isInspecting }: DeployProps & { type: Schema<'Detection'>['type'] }) {
  const t = useMessages(projectMessages)
  const { gitUrl, rootDirectory, dockerfilePath, private: isPrivate } = found
  const { form, submit, isPending, failure } = useContractForm({
    schema: CreateProject,
    initialValues: { name: nameOf(gitUrl, rootDirectory), type },
    send: async ({ name }) => {
      const body = { name, type, gitUrl, branch, rootDirectory, dockerfilePath }
      const { id } = await data(api.POST('/api/projects', { body }))
      return connectAndBuild(id, { gitUrl, branch, isPrivate })
    },
    onSaved: useStarted(),
    fieldOfCode: { PROJECT_NAME_EXISTS: 'name' }
  })
  return (
    <form onSubmit={submit} noValidate className={formClasses.form}>
      <Stack gap="md">
        {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
        <TextInput label={t('new.name')} description={t('new.name.hint')} {...form.getInputProps('name')} />
        <div>
          <Button
            type="submit"
            leftSection={<IconRocket size={16} aria-hidden />}
            loading={isPending}
            disabled={isInspecting}
          >
            {t('deploy')}
          </Button>
        </div>
      </Stack>
    </form>
  )
}

export function DeployConnected({ found, branch, projectId, isInspecting }: DeployProps & { projectId: string }) {
  const t = useMessages(projectMessages)
  const started = useStarted()
  const { gitUrl, rootDirectory, dockerfilePath } = found
  const deploy = useAction({
    run: () => setPlaceAndBuild(projectId, { gitUrl, branch, isPrivate: true }, { rootDirectory, dockerfilePath }),
    invalidates: [['projects', projectId]],
    onDone: (result) => void started(result)
  })
  return (
    <div>
      <Button
        leftSection={<IconRocket size={16} aria-hidden />}
        loading={deploy.isPending}
        disabled={isInspecting}
        onClick={() => deploy.start()}
      >
        {t('deploy')}
      </Button>
    </div>
  )
}
