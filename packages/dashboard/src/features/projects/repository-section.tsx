import { Button, Group, Stack, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { GitConnect } from '@panel/contract/git'
import { useQueryClient } from '@tanstack/react-query'
import { api, data, type Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import formClasses from '../../ui/form/form.module.css'
import { useContractForm } from '../../ui/form/use-contract-form.ts'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/section.tsx'
import { useAction } from '../../ui/use-action.ts'
import { projectSettingsMessages } from './project-settings.messages.ts'
import { projectMessages } from './projects.messages.ts'

interface RepositorySectionProps {
  projectId: string
  git: Schema<'GitInfo'>
}

export function RepositorySection({ projectId, git }: RepositorySectionProps) {
  const t = useMessages(projectSettingsMessages)
  const ofProject = useMessages(projectMessages)
  const client = useQueryClient()
  const path = { path: { id: projectId } }
  const invalidates = [['projects', projectId]]
  const { form, submit, isPending, failure } = useContractForm({
    schema: GitConnect,
    initialValues: { gitUrl: git.gitUrl ?? '', branch: git.branch ?? 'main' },
    send: (body) =>
      data(
        api.POST('/api/projects/{id}/git/connect', {
          params: path,
          body: { ...body, isPrivate: /^(ssh:|git@)/.test(body.gitUrl) }
        })
      ),
    onSaved: async ({ branch }) => {
      notifications.show({ message: t('repository.connected', { branch: branch ?? '' }), role: 'status' })
      await Promise.all(invalidates.map((queryKey) => client.invalidateQueries({ queryKey })))
    },
    fieldOfCode: { GIT_URL_UNSUPPORTED: 'gitUrl', GIT_UNREACHABLE: 'gitUrl' }
  })
  const disconnect = useAction({
    run: () => data(api.PUT('/api/projects/{id}', { params: path, body: { gitUrl: null } })),
    invalidates,
    done: () => t('repository.disconnected')
  })
  const isConnected = git.gitUrl !== null
  return (
    <Section title={t('repository')} hint={t(isConnected ? 'repository.hint' : 'repository.none.hint')}>
      <form onSubmit={submit} noValidate className={formClasses.form} aria-label={t('repository')}>
        <Stack gap="md">
          {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
          <TextInput
            label={ofProject('new.gitUrl')}
            description={ofProject('new.gitUrl.hint')}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            dir="ltr"
            {...form.getInputProps('gitUrl')}
          />
          <TextInput
            label={ofProject('new.branch')}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            dir="ltr"
            {...form.getInputProps('branch')}
          />
          <Group gap="xs">
            <Button type="submit" loading={isPending}>
              {t(isConnected ? 'repository.change' : 'repository.connect')}
            </Button>
            {isConnected && (
              <Button variant="default" loading={disconnect.isPending} onClick={() => disconnect.start()}>
                {t('repository.disconnect')}
              </Button>
            )}
          </Group>
        </Stack>
      </form>
    </Section>
  )
}
