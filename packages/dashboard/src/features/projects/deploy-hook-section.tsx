import { Button, Group, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMessages } from '../../i18n/i18n.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/section.tsx'
import { Time } from '../../ui/time.tsx'
import { useAction } from '../../ui/use-action.ts'
import { projectSettingsMessages } from './project-settings.messages.ts'
import { createDeployHook, deployHookQuery, removeDeployHook } from './pushes.queries.ts'

export function DeployHookSection({ projectId }: { projectId: string }) {
  const t = useMessages(projectSettingsMessages)
  // Component state only, never cached: it contains the secret.
  const [url, setUrl] = useState<string>()
  const { queryKey } = deployHookQuery(projectId)
  const { data: hook } = useQuery(deployHookQuery(projectId))
  const create = useAction({
    run: () => createDeployHook(projectId),
    invalidates: [queryKey],
    onDone: (created) => setUrl(created.url)
  })
  const remove = useAction({
    run: () => removeDeployHook(projectId),
    invalidates: [queryKey],
    onDone: () => setUrl(undefined),
    done: () => t('hook.removed')
  })
  if (!hook) return null
  return (
    <Section title={t('hook')} hint={t('hook.hint')}>
      <Stack gap="md">
        {url !== undefined && (
          <>
            <CopyField label={t('webhook.url')} value={url} />
            <Notice tone="info">{t('hook.once')}</Notice>
          </>
        )}
        {hook.createdAt !== null && (
          <span>
            {t('hook.since')} <Time at={hook.createdAt} />
          </span>
        )}
        <Group gap="xs">
          <Button variant="default" loading={create.isPending} onClick={() => create.start()}>
            {t(hook.createdAt === null ? 'hook.create' : 'hook.rotate')}
          </Button>
          {hook.createdAt !== null && (
            <Button variant="default" loading={remove.isPending} onClick={() => remove.start()}>
              {t('hook.remove')}
            </Button>
          )}
        </Group>
      </Stack>
    </Section>
  )
}
