import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMessages } from '../../i18n/i18n.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useAction } from '../../ui/use-action.ts'
import { build, projectQuery } from '../projects/project.queries.ts'
import { variableMessages } from './variables.messages.ts'
import { isWaiting, type Variable } from './variables.queries.ts'

export function WaitingNotice({ projectId, variables }: { projectId: string; variables: readonly Variable[] }) {
  const t = useMessages(variableMessages)
  const navigate = useNavigate()
  const { data: project } = useQuery(projectQuery(projectId))
  const deploy = useAction({
    // Of an uploaded folder, that folder and not the branch.
    run: () => build(projectId, project?.latestDeployment?.id),
    invalidates: [['projects', projectId]],
    onDone: ({ id }) =>
      void navigate({ to: '/projects/$projectId/deployments', params: { projectId }, search: { d: id } })
  })
  const count = variables.filter((variable) => isWaiting(variable, project?.deployedAt ?? null)).length
  if (count === 0) return null
  return (
    <Notice
      tone="info"
      action={
        <Button size="xs" variant="default" loading={deploy.isPending} onClick={() => deploy.start()}>
          {t('deploy')}
        </Button>
      }
    >
      {t('waiting', { count })}
    </Notice>
  )
}
