import { Button } from '@mantine/core'
import { IconPlayerPlay, IconPlayerStop, IconRefresh } from '@tabler/icons-react'
import type { Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { useAct } from '../../ui/use-act.ts'
import { useIsAway } from '../system/health.queries.ts'
import { controlContainer } from './project.queries.ts'
import { projectMessages } from './projects.messages.ts'

const acts = {
  restart: { icon: IconRefresh, isFor: (status: string) => status === 'running' },
  stop: { icon: IconPlayerStop, isFor: (status: string) => status === 'running' },
  start: { icon: IconPlayerPlay, isFor: (status: string) => status !== 'running' }
} as const
type Act = keyof typeof acts

/** Of a project that has been deployed. */
export function ContainerActs({ project: { id, containerStatus } }: { project: Schema<'Project'> }) {
  const t = useMessages(projectMessages)
  const isAway = useIsAway('containerEngine')
  const act = useAct({
    run: (action: Act) => controlContainer(id, action),
    stale: [
      ['projects', id],
      ['projects', 'list']
    ],
    done: (_result, action) => t(`${action}.done`)
  })
  if (containerStatus === null) return null
  const possible = (Object.keys(acts) as Act[]).filter((action) => acts[action].isFor(containerStatus))
  return possible.map((action) => {
    const { icon: Glyph } = acts[action]
    return (
      <Button
        key={action}
        variant="default"
        leftSection={<Glyph size={16} aria-hidden />}
        disabled={act.isPending || isAway}
        onClick={() => act.start(action)}
      >
        {t(action)}
      </Button>
    )
  })
}
