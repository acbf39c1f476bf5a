import { Button, TextInput } from '@mantine/core'
import { GitInspect } from '@panel/contract/git'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useLocation, useNavigate, useSearch } from '@tanstack/react-router'
import { useMessages } from '../../i18n/i18n.tsx'
import { useContractForm } from '../../ui/form/use-contract-form.ts'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/section.tsx'
import { ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import classes from './new-project.module.css'
import { inspectionQuery } from './new-project.queries.ts'
import { PrivateRepository } from './private-repository.tsx'
import { repositoryItself } from './project-places.ts'
import { projectMessages } from './projects.messages.ts'
import { RepositoryFound } from './repository-found.tsx'

export function NewFromGit() {
  const t = useMessages(projectMessages)
  const { url } = useSearch({ from: '/signed-in/projects/new' })
  const isRequested = useLocation({ select: ({ state }) => state.isRequested === true })
  return (
    <>
      <Section title={t('new.repository')} hint={t('new.gitUrl.hint')}>
        <AddressForm key={url} url={url} />
      </Section>
      {url !== undefined && (isRequested ? <Repository key={`found ${url}`} url={url} /> : <ConfirmInspection />)}
    </>
  )
}

function AddressForm({ url = '' }: { url: string | undefined }) {
  const t = useMessages(projectMessages)
  const client = useQueryClient()
  const navigate = useNavigate({ from: '/projects/new' })
  const { form, submit, isPending, failure } = useContractForm({
    schema: GitInspect,
    initialValues: { gitUrl: url },
    send: async ({ gitUrl }) => {
      await client.fetchQuery(inspectionQuery({ gitUrl: gitUrl.trim() }))
      return gitUrl.trim()
    },
    onSaved: (gitUrl) => void navigate({ search: { url: gitUrl }, state: { isRequested: true } }),
    fieldOfCode: { GIT_URL_UNSUPPORTED: 'gitUrl', GIT_UNREACHABLE: 'gitUrl' }
  })
  return (
    <form onSubmit={submit} noValidate>
      {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
      <div className={classes.row}>
        <TextInput
          className={classes.address!}
          label={t('new.gitUrl')}
          placeholder="https://github.com/owner/repository"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          dir="ltr"
          {...form.getInputProps('gitUrl')}
        />
        <Button type="submit" variant={url === '' ? 'filled' : 'default'} loading={isPending}>
          {t('new.look')}
        </Button>
      </div>
    </form>
  )
}

/** The URL came from a link: contact the Git server only after the user confirms. */
function ConfirmInspection() {
  const t = useMessages(projectMessages)
  const navigate = useNavigate({ from: '/projects/new' })
  return (
    <Section title={t('new.found')} hint={t('new.notAsked')}>
      <div>
        <Button onClick={() => void navigate({ search: true, state: { isRequested: true }, replace: true })}>
          {t('new.ask')}
        </Button>
      </div>
    </Section>
  )
}

function Repository({ url }: { url: string }) {
  const t = useMessages(projectMessages)
  const { branch, type, root, dockerfile, project } = useSearch({ from: '/signed-in/projects/new' })
  const { data, error, isFetching, refetch } = useQuery({
    ...inspectionQuery({
      gitUrl: url,
      branch,
      type,
      rootDirectory: root === repositoryItself ? null : root,
      dockerfilePath: dockerfile,
      projectId: project
    }),
    placeholderData: (previous) => previous
  })
  const inspectAgain = () => void refetch()
  if (error)
    return (
      <Section title={t('new.found')}>
        <ErrorState error={error} onRetry={inspectAgain} />
      </Section>
    )
  if (!data)
    return (
      <Section title={t('new.found')} hint={t('new.looking')}>
        <RowsSkeleton rows={3} height={32} />
      </Section>
    )
  if (data.problem !== null && data.private)
    return (
      <PrivateRepository found={data} projectId={project} isInspecting={isFetching} onInspectAgain={inspectAgain} />
    )
  return <RepositoryFound found={data} projectId={project} isInspecting={isFetching} />
}
