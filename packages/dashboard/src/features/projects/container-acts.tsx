import { Button } from '@mantine/core'
import { IconPlayerPlay, IconPlayerStop, IconRefresh } from '@tabler/icons-react'
import type { Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { useAct } from '../../ui/use-act.ts'
import { useIsAway } from '../system/health.queries.ts'
import { controlContainer } from './project.queries.ts'
import { projectMessages } from './projects.messages.ts'

const acts = [
  { action: 'restart', icon: IconRefresh, isFor: (status: string) => status === 'running' },
  { action: 'stop', icon: IconPlayerStop, isFor: (status: string) => status === 'running' },
  { action: 'start', icon: IconPlayerPlay, isFor: (status: string) => status !== 'running' }
] as const
type Action = (typeof acts)[number]['action']

/** What can be done with the container as it is; nothing before there is one. */
export const containerActs = ({ containerStatus }: Schema<'Project'>) =>
  acts.filter(({ isFor }) => containerStatus !== null && isFor(containerStatus))

export function useContainerAct(projectId: string) {
  const t = useMessages(projectMessages)
  return useAct({
    run: (action: Action) => controlContainer(projectId, action),
    stale: [
      ['projects', projectId],
      ['projects', 'list']
    ],
    done: (_result, action) => t(`${action}.done`)
  })
}

/** Of a project that has been deployed. */
export function ContainerActs({ project }: { project: Schema<'Project'> }) {
  const t = useMessages(projectMessages)
  const act = useContainerAct(project.id)
  const isAway = useIsAway('containerEngine')
  return containerActs(project).map(({ action, icon: Glyph }) => (
    <Button
      key={action}
      variant="default"
      leftSection={<Glyph size={16} aria-hidden />}
      disabled={act.isPending || isAway}
      onClick={() => act.start(action)}
    >
      {t(action)}
    </Button>
  ))
}
