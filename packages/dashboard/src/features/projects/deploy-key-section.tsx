import { Button, Stack } from '@mantine/core'
import { api, data } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import { Section } from '../../ui/section.tsx'
import { useAction } from '../../ui/use-action.ts'
import { projectMessages } from './projects.messages.ts'

export function DeployKeySection({ projectId, publicKey }: { projectId: string; publicKey: string | null }) {
  const t = useMessages(projectMessages)
  const make = useAction({
    run: () => data(api.POST('/api/projects/{id}/git/ssh-key', { params: { path: { id: projectId } } })),
    invalidates: [['projects', projectId]],
    done: () => t(publicKey === null ? 'key.made' : 'key.renewed')
  })
  return (
    <Section title={t('key')} hint={t('key.hint')}>
      <Stack gap="md">
        {publicKey !== null && <CopyField label={t('key')} value={publicKey} />}
        <div>
          <Button variant="default" loading={make.isPending} onClick={() => make.start()}>
            {t(publicKey === null ? 'key.make' : 'key.renew')}
          </Button>
        </div>
      </Stack>
    </Section>
  )
}
