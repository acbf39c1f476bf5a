import { Button } from '@mantine/core'
import { IconPlayerPlay, IconPlayerStop, IconRefresh } from '@tabler/icons-react'
import type { Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { useAction } from '../../ui/use-action.ts'
import { useIsUnavailable } from '../system/health.queries.ts'
import { controlContainer } from './project.queries.ts'
import { projectMessages } from './projects.messages.ts'

const actions = [
  { action: 'restart', icon: IconRefresh, isFor: (status: string) => status === 'running' },
  { action: 'stop', icon: IconPlayerStop, isFor: (status: string) => status === 'running' },
  { action: 'start', icon: IconPlayerPlay, isFor: (status: string) => status !== 'running' }
] as const
type Action = (typeof actions)[number]['action']

/** Actions that are valid in the current container state; none without a container. */
export const containerActions = ({ containerStatus }: Schema<'Project'>) =>
  actions.filter(({ isFor }) => containerStatus !== null && isFor(containerStatus))

export function useContainerAction(projectId: string) {
  const t = useMessages(projectMessages)
  return useAction({
    run: (action: Action) => controlContainer(projectId, action),
    invalidates: [
      ['projects', projectId],
      ['projects', 'list']
    ],
    done: (_result, action) => t(`${action}.done`)
  })
}

export function ContainerActions({ project }: { project: Schema<'Project'> }) {
  const t = useMessages(projectMessages)
  const mutation = useContainerAction(project.id)
  const isUnavailable = useIsUnavailable('containerEngine')
  return containerActions(project).map(({ action, icon: Glyph }) => (
    <Button
      key={action}
      variant="default"
      leftSection={<Glyph size={16} aria-hidden />}
      disabled={mutation.isPending || isUnavailable}
      onClick={() => mutation.start(action)}
    >
      {t(action)}
    </Button>
  ))
}
