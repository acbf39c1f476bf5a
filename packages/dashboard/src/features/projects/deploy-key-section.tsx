import { Button, Stack } from '@mantine/core'
import { api, data } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import { Section } from '../../ui/section.tsx'
import { useAction } from '../../ui/use-action.ts'
import { projectSettingsMessages } from './project-settings.messages.ts'
import { projectMessages } from './projects.messages.ts'

export function DeployKeySection({ projectId, publicKey }: { projectId: string; publicKey: string | null }) {
  const t = useMessages(projectSettingsMessages)
  const ofProject = useMessages(projectMessages)
  const make = useAction({
    run: () => data(api.POST('/api/projects/{id}/git/ssh-key', { params: { path: { id: projectId } } })),
    invalidates: [['projects', projectId]],
    done: () => t(publicKey === null ? 'key.made' : 'key.renewed')
  })
  return (
    <Section title={ofProject('key')} hint={ofProject('key.hint')}>
      <Stack gap="md">
        {publicKey !== null && <CopyField label={ofProject('key')} value={publicKey} />}
        <div>
          <Button variant="default" loading={make.isPending} onClick={() => make.start()}>
            {t(publicKey === null ? 'key.make' : 'key.renew')}
          </Button>
        </div>
      </Stack>
    </Section>
  )
}
