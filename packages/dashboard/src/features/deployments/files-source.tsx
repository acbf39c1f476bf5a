import { Button, Group } from '@mantine/core'
import { IconCamera } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import { useMessages } from '../../i18n/i18n.tsx'
import { Section } from '../../ui/section.tsx'
import { useAction } from '../../ui/use-action.ts'
import { ArchiveChoice } from '../../ui/archive-choice.tsx'
import { build } from '../projects/project.queries.ts'
import { uploadArchive } from '../projects/site-archive.queries.ts'
import { useIsUnavailable } from '../system/health.queries.ts'
import { deploymentMessages } from './deployments.messages.ts'

/** Of a project that is served from its files. */
export function FilesSource({ projectId }: { projectId: string }) {
  const t = useMessages(deploymentMessages)
  const navigate = useNavigate({ from: '/projects/$projectId/deployments' })
  const isUnavailable = useIsUnavailable('containerEngine')
  const invalidates = [['projects', projectId]]
  const onDone = ({ id }: { id: string }) => void navigate({ search: { d: id } })
  const snapshot = useAction({ run: () => build(projectId), invalidates, onDone })
  const upload = useAction({ run: (file: File) => uploadArchive(projectId, file), invalidates, onDone })
  return (
    <Section title={t('files')} hint={t('files.hint')}>
      <Group gap="sm">
        <Button
          leftSection={<IconCamera size={16} aria-hidden />}
          loading={snapshot.isPending}
          disabled={isUnavailable}
          onClick={() => snapshot.start()}
        >
          {t('snapshot')}
        </Button>
        <Link to="/projects/$projectId/files" params={{ projectId }}>
          {t('files.open')}
        </Link>
      </Group>
      <ArchiveChoice isPending={upload.isPending} onFile={(file) => upload.start(file)} />
    </Section>
  )
}
