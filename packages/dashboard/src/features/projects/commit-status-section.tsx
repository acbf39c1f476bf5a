import { Button, Group, NativeSelect, PasswordInput, Stack, TextInput } from '@mantine/core'
import { SetCommitStatus, statusProviders } from '@panel/contract/commit-status'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { z } from 'zod'
import type { Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { useContractForm } from '../../ui/form/use-contract-form.ts'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/section.tsx'
import { SentenceText } from '../../ui/sentence-text.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { Time } from '../../ui/time.tsx'
import type { Tone } from '../../ui/tone.ts'
import { useAction } from '../../ui/use-action.ts'
import { projectSettingsMessages } from './project-settings.messages.ts'
import { commitStatusQuery, removeCommitStatus, setCommitStatus } from './pushes.queries.ts'

export function CommitStatusSection({ projectId }: { projectId: string }) {
  const t = useMessages(projectSettingsMessages)
  const { queryKey } = commitStatusQuery(projectId)
  const { data: settings } = useQuery(commitStatusQuery(projectId))
  const remove = useAction({
    run: () => removeCommitStatus(projectId),
    invalidates: [queryKey],
    done: () => t('commitStatus.removed')
  })
  if (!settings) return null
  return (
    <Section title={t('commitStatus')} hint={t('commitStatus.hint')}>
      <Stack gap="md">
        {settings.last && <LastStatus projectId={projectId} last={settings.last} />}
        <CommitStatusForm key={`${settings.provider} ${settings.apiUrl}`} projectId={projectId} settings={settings} />
        {settings.provider !== null && (
          <div>
            <Button variant="default" loading={remove.isPending} onClick={() => remove.start()}>
              {t('commitStatus.remove')}
            </Button>
          </div>
        )}
      </Stack>
    </Section>
  )
}

type Last = NonNullable<Schema<'CommitStatus'>['last']>
const tones: Record<Last['outcome'], Tone> = { SENT: 'ok', RETRYING: 'warn', FAILED: 'bad' }

function LastStatus({ projectId, last }: { projectId: string; last: Last }) {
  const t = useMessages(projectSettingsMessages)
  const { outcome, state, commitHash, deploymentId, reason, sentences, at } = last
  return (
    <div>
      <StatusBadge tone={tones[outcome]}>{t(`commitStatus.${outcome}`)}</StatusBadge>{' '}
      <Link to="/projects/$projectId/deployments" params={{ projectId }} search={{ d: deploymentId }}>
        {commitHash.slice(0, 12)}
      </Link>{' '}
      {t(`commitState.${state}`)} <Time at={at} />
      {reason !== null && (
        <Notice tone={outcome === 'FAILED' ? 'bad' : 'warn'}>
          <SentenceText by={{ commitProblem: projectSettingsMessages }} sentences={sentences}>
            {reason}
          </SentenceText>
        </Notice>
      )}
    </div>
  )
}

// An empty field is the default.
const Form = SetCommitStatus.extend({
  apiUrl: z.preprocess((text) => (text === '' ? null : text), SetCommitStatus.shape.apiUrl)
})

interface CommitStatusFormProps {
  projectId: string
  settings: Schema<'CommitStatus'>
}

function CommitStatusForm({ projectId, settings }: CommitStatusFormProps) {
  const t = useMessages(projectSettingsMessages)
  const client = useQueryClient()
  const { form, submit, isPending, failure } = useContractForm({
    schema: Form,
    initialValues: { provider: settings.provider ?? ('GITHUB' as const), token: '', apiUrl: settings.apiUrl ?? '' },
    send: (body) => setCommitStatus(projectId, body),
    onSaved: async () => {
      form.reset()
      await client.invalidateQueries({ queryKey: commitStatusQuery(projectId).queryKey })
    }
  })
  return (
    <form onSubmit={submit} noValidate aria-label={t('commitStatus')}>
      <Stack gap="md">
        {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
        <NativeSelect
          label={t('commitStatus.provider')}
          data={statusProviders.map((provider) => ({ value: provider, label: t(`statusProvider.${provider}`) }))}
          {...form.getInputProps('provider')}
          key={form.key('provider')}
        />
        <PasswordInput
          label={t('commitStatus.token')}
          description={t('commitStatus.token.hint')}
          autoComplete="off"
          {...form.getInputProps('token')}
          key={form.key('token')}
        />
        <TextInput
          label={t('commitStatus.apiUrl')}
          description={t('commitStatus.apiUrl.hint')}
          autoComplete="off"
          spellCheck={false}
          dir="ltr"
          {...form.getInputProps('apiUrl')}
          key={form.key('apiUrl')}
        />
        <Group gap="xs">
          <Button type="submit" variant="default" loading={isPending}>
            {t('commitStatus.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
