import { Button, Group, Stack } from '@mantine/core'
import { useState } from 'react'
import { useMessages } from '../../i18n/i18n.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/section.tsx'
import { useAction } from '../../ui/use-action.ts'
import { rotateWebhookSecret, showWebhookSecret } from './project.queries.ts'
import { projectSettingsMessages } from './project-settings.messages.ts'

export function WebhookSection({ projectId, url }: { projectId: string; url: string }) {
  const t = useMessages(projectSettingsMessages)
  // Component state only, never cached. Null if the project has no secret.
  const [secret, setSecret] = useState<string | null>()
  const show = useAction({ run: () => showWebhookSecret(projectId), invalidates: [], onDone: setSecret })
  const rotate = useAction({
    run: () => rotateWebhookSecret(projectId),
    invalidates: [],
    onDone: setSecret,
    done: () => t('webhook.rotated')
  })
  return (
    <Section title={t('webhook')} hint={t('webhook.hint')}>
      <Stack gap="md">
        <CopyField label={t('webhook.url')} value={url} />
        {typeof secret === 'string' && <CopyField label={t('webhook.secret')} value={secret} />}
        {secret === null && <Notice tone="info">{t('webhook.none')}</Notice>}
        <Group gap="xs">
          {secret === undefined && (
            <Button variant="default" loading={show.isPending} onClick={() => show.start()}>
              {t('webhook.show')}
            </Button>
          )}
          <Button variant="default" loading={rotate.isPending} onClick={() => rotate.start()}>
            {t('webhook.rotate')}
          </Button>
        </Group>
      </Stack>
    </Section>
  )
}
